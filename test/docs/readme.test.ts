import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packedReadme, wrongFigures } from "../../scripts/pack.mjs";
import { repository } from "../support/repository.js";

const run = promisify(execFile);

describe("the README", () => {
  it("creates no folder that git would list as untracked", async () => {
    const pages = ["README.md", "content/02.start/02.tour/docs.md", "content/01.home/landing.md"];
    const texts = await Promise.all(pages.map((page) => readFile(join(repository, page), "utf8")));
    const made = [...texts.join("\n").matchAll(/(?:mkdir (?:-p )?|sitewright new )([\w-]+)/g)];
    const folders = [...new Set(made.map(([, folder = ""]) => `${folder}/`))].toSorted();
    assert.deepEqual(folders, ["my-site/", "notes/"]);
    const { stdout } = await run("git", ["check-ignore", ...folders], { cwd: repository });
    assert.deepEqual(stdout.trim().split("\n").toSorted(), folders);
  });
});

describe("the figures of the package in the README", () => {
  /** Native packages that one machine installs, of those for all: libvips, sharp, argon2. */
  const NATIVE = 3;

  interface Locked {
    packages: Record<string, { dev?: true; devOptional?: true; optional?: true; peer?: true }>;
  }

  // `npm run package` compares the figure with what npm adds to an empty folder. There npm has no development
  // packages to avoid, so it needs fewer copies of a package than package-lock.json has.
  it("are no fewer packages than package-lock.json has, and no more than its copies of them", async () => {
    const text = await readFile(join(repository, "package-lock.json"), "utf8");
    const { packages }: Locked = JSON.parse(text);
    const copies = Object.entries(packages).filter(
      ([, { dev, devOptional, optional, peer }]) => !(dev || devOptional || optional || peer),
    );
    // By name: there one version may satisfy two ranges for which the lock file has two versions.
    const different = new Set(copies.map(([path]) => path.replace(/.*node_modules\//, "")));
    const readme = await readFile(join(repository, "README.md"), "utf8");
    const written = Number(/takes (\d+) packages/.exec(readme)?.[1]);
    // The first entry of the lock is the package itself.
    assert.ok(written >= different.size + NATIVE, `${written} < ${different.size + NATIVE}`);
    assert.ok(written <= copies.length + NATIVE, `${written} > ${copies.length + NATIVE}`);
  });
});

describe("the packed README", () => {
  const text =
    "![Home](content/home.png)\n\nSee [the figures](bench/RESULTS.md), [the license](LICENSE), [npm](https://npmjs.com) and [below](#map).\n";

  it("keeps the text of links to files that the package lacks, and no pictures of them", () => {
    assert.equal(
      packedReadme(text, (file) => file === "LICENSE"),
      "See the figures, [the license](LICENSE), [npm](https://npmjs.com) and [below](#map).\n",
    );
  });

  it("is compared with the figures of the package", () => {
    const readme =
      "`npm run package` builds the package (2.1 MB). It takes 526\npackages and 120 MB.";
    assert.deepEqual(wrongFigures(readme, { bytes: 2_160_000, packages: 512, megabytes: 123 }), [
      "README.md says 2.1 for MB of the tarball: write 2.2",
      "README.md says 526 for packages: write 512",
      "README.md says 120 for MB on disk: write 123",
    ]);
    assert.deepEqual(wrongFigures(readme, { bytes: 2_140_000, packages: 526, megabytes: 118 }), []);
  });
});

describe("the maps of the code", () => {
  const CODE_BLOCK = /```[\s\S]*?```/g;
  const PATH = /`([\w.-]+\/[\w./-]+\.(?:ts|tsx|mjs))`|\]\((?!https?:)([^)#]+)/g;
  /** Of a plugin that the reader writes. */
  const EXAMPLE = "plugins/hello/index.ts";

  for (const map of ["README.md", "CONTRIBUTING.md", "kernel/README.md", "plugins/README.md"]) {
    it(`${map} names files that exist`, async () => {
      const text = (await readFile(join(repository, map), "utf8")).replace(CODE_BLOCK, "");
      const paths = [...text.matchAll(PATH)].map(([, named = "", linked = named]) => linked);
      const missing = paths.filter(
        (path) =>
          path !== EXAMPLE &&
          ![join(dirname(map), path), path].some((one) => existsSync(join(repository, one))),
      );
      assert.notEqual(paths.length, 0);
      assert.deepEqual(missing, []);
    });
  }
});
