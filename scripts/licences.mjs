// `npm run licences`: the licence of every package of package-lock.json, counted, and the packages whose licence is
// not on the list below. Exit code 1 when there is one. `--all` names every package.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Licences that code may have which we install or bundle (SPDX identifiers). */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Zlib",
];
/** Libraries that are linked and not changed: the image library of sharp, a package of its own. */
const LINKED = ["LGPL-3.0-or-later"];
/** Licences of tools and fonts that only the development uses. */
const DEVELOPMENT = ["MPL-2.0", "OFL-1.1", "PSF-2.0", "Python-2.0", "CC-BY-4.0", "Unlicense"];
/** Packages whose manifest names no licence and whose readme does, looked at by hand: name and version. */
const IN_README = {
  "humanize-number": ["0.0.2", "MIT"],
  only: ["0.0.2", "MIT"],
  pause: ["0.0.1", "MIT"],
};

/**
 * The packages of a lock file with their licences, and which of them are not permitted. `manifestOf` reads the
 * manifest of a package that the lock file says nothing of; null: it is not installed.
 */
export function licencesOf(lock, manifestOf) {
  const packages = Object.entries(lock.packages).flatMap(([path, entry]) => {
    if (path === "" || entry.link === true) return [];
    const name =
      entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const [version, named] = IN_README[name] ?? [];
    const read = version === entry.version ? named : undefined;
    const licence = entry.license ?? spdx(manifestOf(path)) ?? read ?? "unknown";
    return [{ name, version: entry.version, licence, isDevelopment: entry.dev === true }];
  });
  return {
    packages,
    unknown: packages.filter(
      ({ licence, isDevelopment }) =>
        !isPermitted(licence, [...PERMISSIVE, ...LINKED, ...(isDevelopment ? DEVELOPMENT : [])]),
    ),
  };
}

/** True for an SPDX expression that permitted licences fulfil: one of each `OR`, all of each `AND`. */
function isPermitted(expression, permitted) {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  const parts = (word) => plain.split(new RegExp(` ${word} `));
  if (parts("AND").length > 1) return parts("AND").every((part) => isPermitted(part, permitted));
  if (parts("OR").length > 1) return parts("OR").some((part) => isPermitted(part, permitted));
  return permitted.includes(plain);
}

/** The licence of a manifest, also in the old forms `{ type }` and `licenses: [{ type }]`. */
function spdx(manifest) {
  const { license, licenses } = manifest ?? {};
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(" OR ");
}

function readManifest(path) {
  const file = join(root, path, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { packages, unknown } = licencesOf(lock, readManifest);
  const by = grouped(packages);
  for (const [licence, list] of Object.entries(by).sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${String(list.length).padStart(5)}  ${licence}`);
    if (!process.argv.includes("--all")) continue;
    for (const { name, version } of list) console.log(`       ${name} ${version}`);
  }
  for (const { name, version, licence } of unknown) {
    console.error(`${name} ${version}: ${licence} is not a licence that this project may use`);
  }
  if (unknown.length > 0) {
    console.error(
      "fix: use another package, or add the licence to scripts/licences.mjs if its terms allow it",
    );
  }
  process.exitCode = unknown.length === 0 ? 0 : 1;
}

function grouped(packages) {
  const by = {};
  for (const one of packages) (by[one.licence] ??= []).push(one);
  return by;
}
