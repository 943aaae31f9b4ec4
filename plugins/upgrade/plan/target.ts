/** The version to upgrade to: published, in a folder, or in a tarball. */
import { readFile, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { extract } from "tar-stream";
import { isRange } from "#lib/versions";
import { packageRoot } from "#lib/packages";
import { readData } from "#lib/schema";
import { safeJoin } from "#kernel";
import { upgradeError } from "../errors.js";
import type { Installation } from "../installation.js";
import { npm } from "../npm.js";
import { CONTRACT_FILE, contractShape, type VersionContract } from "./version-contract.js";

const packed = z.array(z.object({ filename: z.string() })).min(1);
const manifestShape = z.object({ name: z.string(), version: z.string() });
const TAG = /^[a-z][\w.-]{0,40}$/i;

/** A package that can be installed. */
export interface Target {
  readonly contract: VersionContract;
  /** Absolute path of its tarball. */
  readonly tarball: string;
  /** The new entry in `package.json`. */
  readonly range: string;
}

/** The contract of the running version. @throws ERR_UPGRADE_INSTALLATION for one that runs from sources. */
export async function installedContract(folder = packageRoot()): Promise<VersionContract> {
  const text = await readFile(join(folder, CONTRACT_FILE), "utf8").catch(() => null);
  if (text === null) {
    const message = `${folder} has no ${CONTRACT_FILE}: it runs from its sources`;
    throw upgradeError("ERR_UPGRADE_INSTALLATION", message, { fix: "upgrade a clone with git" });
  }
  return parseContract(text, folder);
}

/**
 * Fetches a target: `to` is a version, a range, a tag (`latest`), the path of a folder or of a tarball.
 * `work`: an empty folder for the tarball.
 * @throws ERR_UPGRADE_TARGET, ERR_UPGRADE_NPM.
 */
export async function fetchTarget(
  to: string,
  installation: Pick<Installation, "name" | "home" | "range" | "limits">,
  work: string,
): Promise<Target> {
  const { name, home, range: former, limits } = installation;
  const file = resolve(to);
  const stats = await stat(file).catch(() => null);
  if (stats?.isFile() === true) {
    const { contract } = await readTarget(file, name);
    return { contract, tarball: file, range: pathRange(home, file) };
  }
  if (stats === null && !isRange(to) && !TAG.test(to)) {
    throw upgradeError("ERR_UPGRADE_TARGET", `--to is ${JSON.stringify(to.slice(0, 120))}`, {
      fix: "pass a version, a folder, or a tarball",
      exitCode: 2,
    });
  }
  const spec = stats === null ? `${name}@${to}` : file;
  const text = await npm(home, [
    "pack",
    "--json",
    "--pack-destination",
    work,
    ...limits.own,
    "--",
    spec,
  ]);
  const [first] = packed.parse(JSON.parse(text));
  const tarball = join(work, (first?.filename ?? "").replaceAll("/", "-").replace(/^@/, ""));
  const { contract } = await readTarget(tarball, name);
  const range = stats === null ? rangeLike(former, contract.version) : pathRange(home, file);
  return { contract, tarball, range };
}

async function readTarget(tarball: string, name: string): Promise<{ contract: VersionContract }> {
  const files = new Map<string, string>();
  const isWanted = (path: string): boolean => path === "package.json" || path === CONTRACT_FILE;
  await readPackageArchive(tarball, isWanted, ({ path, bytes }) => {
    files.set(path, bytes.toString("utf8"));
  });
  const manifest = manifestShape.safeParse(parseManifest(files.get("package.json")));
  if (manifest.data?.name !== name) {
    const actual = JSON.stringify(manifest.data?.name ?? null);
    throw upgradeError("ERR_UPGRADE_TARGET", `${tarball} is the package ${actual}, not ${name}`);
  }
  const contract = parseContract(files.get(CONTRACT_FILE) ?? "", tarball);
  if (contract.version !== manifest.data.version) {
    const message = `${tarball} is version ${manifest.data.version} with the contract of ${contract.version}`;
    throw upgradeError("ERR_UPGRADE_TARGET", message, { fix: "build the package again" });
  }
  return { contract };
}

/** @throws ERR_UPGRADE_TARGET for a missing contract, and for one of another format. */
function parseContract(text: string, source: string): VersionContract {
  const read = readData(contractShape, parseManifest(text));
  if (read.mistakes === null) return read.data;
  const [{ path, message: wrong }] = read.mistakes;
  const reason = text === "" ? "it is missing" : `${path.join(".")}: ${wrong}`;
  const message = `${CONTRACT_FILE} of ${source} cannot be read: ${reason}`;
  throw upgradeError("ERR_UPGRADE_TARGET", message, {
    fix: "choose a version that has one of this format; upgrade over one in between",
  });
}

function parseManifest(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return null;
  }
}

function pathRange(home: string, file: string): string {
  const path = relative(home, file).split(sep).join("/");
  return `file:${path}`;
}

/** The same kind of range for another version: exact, `~` or `^`; `^` for any other. */
function rangeLike(former: string, version: string): string {
  if (/^\d/.test(former)) return version;
  return `${former.startsWith("~") ? "~" : "^"}${version}`;
}

/** Limits of an unpacked package. */
const MAX_FILES = 20_000;
const MAX_BYTES = 512 * 1_048_576;

/** A file of a package. */
interface PackageFile {
  /** Below the package, with slashes. */
  readonly path: string;
  readonly isExecutable: boolean;
  readonly bytes: Buffer;
}

/**
 * Passes the files of a package whose paths `isWanted` accepts to `take`, one at a time. Links and other entries are
 * left out. @throws ERR_UPGRADE_TARGET, and what `take` throws.
 */
export async function readPackageArchive(
  file: string,
  isWanted: (path: string) => boolean,
  take: (file: PackageFile) => Promise<void> | void,
): Promise<void> {
  const tar = extract();
  const gunzip = createGunzip();
  const source = createReadStream(file);
  const fail = (error: unknown): void => {
    tar.destroy(unreadable(file, error));
  };
  let size = 0;
  let files = 0;
  source.on("error", fail);
  gunzip.on("error", fail);
  gunzip.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) fail(new Error(`it unpacks to more than ${MAX_BYTES} bytes`));
  });
  source.pipe(gunzip).pipe(tar);
  try {
    for await (const entry of tar) {
      files += 1;
      if (files > MAX_FILES) throw unreadable(file, `it has more than ${MAX_FILES} files`);
      const { name, type, mode } = entry.header;
      const path = packagePath(name);
      if (type === "file" && path !== null && isWanted(path)) {
        const bytes = await readBytes(entry);
        await take({ path, isExecutable: ((mode ?? 0) & 0o100) !== 0, bytes });
      }
      // Skips the bytes that were left unread.
      entry.resume();
    }
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** The path without the first folder, which npm calls `package`; null for one that leads elsewhere. */
function packagePath(name: string): string | null {
  const path = name.replace(/^[^/]+\//, "");
  const isPlain =
    path !== name && !/[\\\u0000-\u001f]/.test(path) && !/(?:^|\/)\.\.?(?:\/|$)/.test(path);
  return isPlain && safeJoin("/package", path) !== null ? path : null;
}

async function readBytes(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function unreadable(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return upgradeError("ERR_UPGRADE_TARGET", `${file} is not the tarball of a package: ${reason}`, {
    fix: "pass a version, a folder, or a tarball of npm pack",
    exitCode: 2,
    cause,
  });
}
