// `node scripts/pack.mjs`: packs the package and create-sitewright as they are released, from a current dist/, and compares the figures of the
// README with it. The packed README has no links to files that only the repository has.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const MB = 1_000_000;

/** A README without pictures and links whose file `has` does not find: of a link the text stays. */
export function packedReadme(text, has) {
  const isKept = (target) => /^(?:[a-z]+:|#)/.test(target) || has(target.replace(/#.*/, ""));
  return text
    .replace(/^!\[[^\]]*\]\(([^)\s]+)\)\n\n?/gm, (link, target) => (isKept(target) ? link : ""))
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, label, target) =>
      isKept(target) ? link : label,
    );
}

/** Packs dist/ and what belongs to it into `folder`; returns the file and its bytes. */
export function pack(folder) {
  const staging = mkdtempSync(join(tmpdir(), "site-pack-"));
  try {
    cpSync(join(root, "dist"), join(staging, "dist"), { recursive: true });
    mkdirSync(join(staging, "kernel", "cli"), { recursive: true });
    const programs = readdirSync(join(root, "kernel", "cli"))
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => join("kernel", "cli", name));
    for (const file of ["package.json", "LICENSE", "CHANGELOG.md", ...programs]) {
      mkdirSync(dirname(join(staging, file)), { recursive: true });
      copyFileSync(join(root, file), join(staging, file));
    }
    const readme = packedReadme(readFileSync(join(root, "README.md"), "utf8"), (file) =>
      existsSync(join(staging, file)),
    );
    writeFileSync(join(staging, "README.md"), readme);
    return packStaged(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Packs create-sitewright, which `npm create sitewright` runs, into `folder`; returns the file and its bytes. */
export function packCreate(folder) {
  const staging = mkdtempSync(join(tmpdir(), "site-pack-"));
  try {
    cpSync(join(root, "create-sitewright"), staging, { recursive: true });
    copyFileSync(join(root, "LICENSE"), join(staging, "LICENSE"));
    return packStaged(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function packStaged(staging, folder) {
  const words = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", folder];
  const [{ filename, size }] = JSON.parse(npm(words, staging));
  return { path: join(folder, filename), bytes: size };
}

/** Differences of the size on disk up to this one are those of file systems, in MB. */
const TOLERANCE_MB = 2;

/** Figures of the README that are not those of the package, each as a sentence. */
export function wrongFigures(readme, { bytes, packages, megabytes }) {
  const text = readme.replaceAll("\n", " ");
  const figures = [
    ["MB of the tarball", /builds the package \(([\d.]+) MB\)/, (bytes / MB).toFixed(1), 0],
    ["packages", /takes (\d+) packages/, String(packages), 0],
    ["MB on disk", /takes \d+ packages and (\d+) MB/, String(megabytes), TOLERANCE_MB],
  ];
  return figures.flatMap(([what, pattern, measured, tolerance]) => {
    const written = pattern.exec(text)?.[1];
    return Math.abs(Number(written) - Number(measured)) <= tolerance
      ? []
      : [`README.md says ${written ?? "nothing"} for ${what}: write ${measured}`];
  });
}

/** Installs the tarball in an empty folder: how many packages that adds, and how many MB on disk. */
function measureInstallation(tarball) {
  const empty = mkdtempSync(join(tmpdir(), "site-install-"));
  try {
    writeFileSync(join(empty, "package.json"), '{"private":true}\n');
    npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", tarball], empty);
    const listed = npm(["ls", "--all", "--parseable"], empty).trim().split("\n");
    // The first is the folder itself.
    const packages = new Set(listed).size - 1;
    return { packages, megabytes: Math.ceil(diskBytes(join(empty, "node_modules")) / 1_048_576) };
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

/** What `du` counts: the blocks of files and folders. */
function diskBytes(folder) {
  const entries = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return [folder, ...entries].reduce((sum, path) => sum + lstatSync(path).blocks * 512, 0);
}

function npm(words, cwd) {
  const options = { cwd, encoding: "utf8", maxBuffer: 64 * MB };
  const { status, stdout, stderr } = spawnSync("npm", words, options);
  if (status !== 0) throw new Error(`npm ${words.join(" ")} failed: ${stderr}`);
  return stdout;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { path, bytes } = pack(root);
  console.log(`${path}: ${bytes} bytes`);
  const create = packCreate(root);
  console.log(`${create.path}: ${create.bytes} bytes`);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const wrong = wrongFigures(readme, { bytes, ...measureInstallation(path) });
  for (const sentence of wrong) console.error(sentence);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
