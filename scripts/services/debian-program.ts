import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheFolder } from "./cache-folder.js";
import { MissingServiceError } from "./missing-service.js";
import { oneAtATime } from "./one-at-a-time.js";
import { runCommand } from "./run-command.js";

/** A program from a Debian package: its path and the environment it needs. */
export interface Program {
  path: string;
  env: Record<string, string>;
}

/** The wanted binary below `usr/bin` or `usr/sbin`, and its packages. */
export interface DebianProgram {
  binary: string;
  packages: readonly string[];
  /** A binary of this name serves too when it is on the machine already. */
  alternative?: string;
}

/**
 * Finds a program on this machine, else installs its packages (as root), else unpacks them with their
 * dependencies into the cache folder (other users). @throws MissingServiceError when neither works.
 */
export function debianProgram(wanted: DebianProgram): Promise<Program> {
  // apt-get allows one process, and a program is found before its libraries are installed.
  return oneAtATime("debian", () => findOrInstall(wanted));
}

async function findOrInstall(wanted: DebianProgram): Promise<Program> {
  const { binary, alternative } = wanted;
  const installed = findOnPath(binary) ?? findUnpacked(wanted) ?? findOnPath(alternative);
  if (installed !== null) return installed;
  if (findOnPath("apt-get") === null || findOnPath("dpkg-deb") === null) {
    throw new MissingServiceError(
      wanted.binary,
      `install ${wanted.packages.join(" ")} with the package manager of this system`,
    );
  }
  try {
    await (process.getuid?.() === 0 ? install(wanted) : unpack(wanted));
  } catch (cause) {
    throw new MissingServiceError(
      wanted.binary,
      `run \`apt-get install ${wanted.packages.join(" ")}\` as root`,
      cause,
    );
  }
  const program = findOnPath(wanted.binary) ?? findUnpacked(wanted);
  if (program !== null) return program;
  throw new MissingServiceError(wanted.binary, `${wanted.packages.join(" ")} did not contain it`);
}

function findOnPath(binary: string | undefined): Program | null {
  if (binary === undefined) return null;
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/sbin"];
  const folder = folders.find((one) => one !== "" && existsSync(join(one, binary)));
  return folder === undefined ? null : { path: join(folder, binary), env: {} };
}

function findUnpacked({ binary }: DebianProgram): Program | null {
  const root = join(cacheFolder("debian"), binary);
  const paths = ["bin", "sbin"].map((folder) => join(root, "usr", folder, binary));
  const path = paths.find((one) => existsSync(one));
  if (path === undefined) return null;
  const machine = process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  const libraries = [`usr/lib/${machine}`, `lib/${machine}`, "usr/lib"];
  return {
    path,
    env: {
      LD_LIBRARY_PATH: libraries.map((folder) => join(root, folder)).join(delimiter),
      // Fonts are in the packages; fontconfig looks for them here.
      XDG_DATA_HOME: join(root, "usr", "share"),
      ...(existsSync(join(root, "etc/fonts")) ? { FONTCONFIG_PATH: join(root, "etc/fonts") } : {}),
    },
  };
}

async function install({ packages }: DebianProgram): Promise<void> {
  // RUNLEVEL=1 prevents the package from starting its own server on the default port.
  const env = { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const lock = ["-o", "DPkg::Lock::Timeout=120"];
  await runCommand("apt-get", [...lock, "update"], { env });
  await runCommand("apt-get", [...lock, "install", "-y", "--no-install-recommends", ...packages], {
    env,
  });
}

async function unpack({ binary, packages }: DebianProgram): Promise<void> {
  const work = join(cacheFolder("debian"), `${binary}.${process.pid}`);
  const archives = join(work, "cache", "archives");
  const root = join(work, "root");
  for (const folder of [join(work, "state", "lists", "partial"), join(archives, "partial"), root]) {
    mkdirSync(folder, { recursive: true });
  }
  const own = ["-o", `Dir::State=${work}/state`, "-o", `Dir::Cache=${work}/cache`];
  const system = ["-o", "Dir::State::status=/var/lib/dpkg/status", "-o", "Debug::NoLocking=true"];
  const get = (...args: string[]) => runCommand("apt-get", [...own, ...system, ...args]);
  await get("update");
  await get("install", "-y", "--download-only", "--no-install-recommends", ...packages);
  for (const name of readdirSync(archives).filter((file) => file.endsWith(".deb"))) {
    await runCommand("dpkg-deb", ["-x", join(archives, name), root]);
  }
  if (!existsSync(join(cacheFolder("debian"), binary))) {
    renameSync(root, join(cacheFolder("debian"), binary));
  }
  rmSync(work, { recursive: true, force: true });
}
