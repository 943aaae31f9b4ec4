import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { textOf } from "../support/repository.js";
import { home, tarballBytes } from "./home.js";

/** An entry of npm's own list of what it installed. */
interface Installed {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const MB = 1_000_000;
/** Figures of the README may differ by this share, as native packages do between machines. */
const TOLERANCE = 0.1;

describe("the figures of the package in the README", () => {
  const readme = textOf("README.md").replaceAll("\n", " ");
  const figure = (pattern: RegExp): number => {
    const found = pattern.exec(readme)?.[1];
    assert.ok(found !== undefined, `README.md has no figure like ${pattern}`);
    return Number(found);
  };
  const isNear = (written: number, measured: number): void =>
    assert.ok(
      Math.abs(written - measured) <= TOLERANCE * measured,
      `README.md says ${written}, measured ${measured.toFixed(2)}`,
    );

  it("are the size of the tarball", () => {
    isNear(figure(/builds the package \(([\d.]+) MB\)/), tarballBytes / MB);
  });

  it("are the packages that npm installs with it, and their size", async function () {
    this.timeout(60_000);
    const folders = await installedWith("node_modules/sitewright");
    const bytes = await Promise.all(folders.map((folder) => bytesOf(join(home, folder))));
    const total = bytes.reduce((sum, one) => sum + one, 0);
    isNear(figure(/takes (\d+) packages/), folders.length);
    isNear(figure(/\((\d+) MB of files\)/), total / MB);
  });
});

describe("an import of the package by a Node.js that is too old", () => {
  // What Node 18 and the first releases of 20 lack.
  const older = "data:text/javascript,delete process.getBuiltinModule";

  for (const door of ["sitewright", "sitewright/testing", "sitewright/theme", "sitewright/auth"])
    it(`says which version ${door} needs`, async () => {
      const program = `import(${JSON.stringify(door)}).catch(({ message }) => console.log(message))`;
      const words = ["--import", older, "--input-type=module", "-e", program];
      const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: home });
      assert.match(
        stdout,
        /^Sitewright needs Node\.js [\d.]+ or newer, this is [\d.]+: install .*\n$/,
      );
    });
});

describe("the README of the installed package", () => {
  it("links only to files of the package", async () => {
    const folder = join(home, "node_modules", "sitewright");
    const readme = await readFile(join(folder, "README.md"), "utf8");
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, path = ""]) => path,
    );
    assert.ok(targets.length > 0);
    assert.deepEqual(
      targets.filter((path) => !existsSync(join(folder, path))),
      [],
    );
  });
});

/** The folders of a package and of all that it depends on. */
async function installedWith(start: string): Promise<string[]> {
  const list = await readFile(join(home, "node_modules", ".package-lock.json"), "utf8");
  const { packages }: { packages: Record<string, Installed> } = JSON.parse(list);
  const found = new Set([start]);
  for (const folder of found) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[folder] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const place = resolvedFrom(folder, name, packages);
      if (place !== undefined) found.add(place);
    }
  }
  return [...found];
}

/** The folder that `import` of a package finds from another one; undefined for one of another platform. */
function resolvedFrom(
  folder: string,
  name: string,
  packages: Readonly<Record<string, Installed>>,
): string | undefined {
  for (let place = folder; place !== "";) {
    const candidate = `${place}/node_modules/${name}`;
    if (candidate in packages) return candidate;
    place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")));
  }
  const top = `node_modules/${name}`;
  return top in packages ? top : undefined;
}

/** The bytes of the files of a package, without the packages inside it. */
async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await bytesOf(path);
    else if (entry.isFile()) bytes += (await stat(path)).size;
  }
  return bytes;
}
