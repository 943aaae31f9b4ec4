// `node scripts/pack.mjs`: packs the package as it is released, from a current dist/, and compares the figures of the
// README with it. The packed README has no links to files that only the repository has.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
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
    const words = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", folder];
    const [{ filename, size }] = JSON.parse(npm(words, staging));
    return { path: join(folder, filename), bytes: size };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Figures of the README that are not those of the package, each as a sentence. */
export function wrongFigures(readme, { bytes, packages }) {
  const text = readme.replaceAll("\n", " ");
  const figures = [
    ["MB of the tarball", /builds the package \(([\d.]+) MB\)/, (bytes / MB).toFixed(1)],
    ["packages", /takes (\d+) packages/, String(packages)],
  ];
  return figures.flatMap(([what, pattern, measured]) => {
    const written = pattern.exec(text)?.[1];
    return written === measured
      ? []
      : [`README.md says ${written ?? "nothing"} for ${what}: write ${measured}`];
  });
}

/** How many packages npm adds to an empty folder with the tarball. */
function countPackages(tarball) {
  const empty = mkdtempSync(join(tmpdir(), "site-count-"));
  try {
    writeFileSync(join(empty, "package.json"), '{"private":true}\n');
    const words = ["install", "--dry-run", "--ignore-scripts", "--no-audit", "--no-fund", tarball];
    return Number(/added (\d+) packages/.exec(npm(words, empty))?.[1]);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
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
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const wrong = wrongFigures(readme, { bytes, packages: countPackages(path) });
  for (const sentence of wrong) console.error(sentence);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
