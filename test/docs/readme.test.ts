import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
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

  it("are the packages of package-lock.json that npm installs with it", async () => {
    const text = await readFile(join(repository, "package-lock.json"), "utf8");
    const { packages }: Locked = JSON.parse(text);
    const installed = Object.entries(packages).filter(
      ([, { dev, devOptional, optional, peer }]) => !(dev || devOptional || optional || peer),
    );
    const readme = await readFile(join(repository, "README.md"), "utf8");
    const [, written] = /takes (\d+) packages/.exec(readme) ?? [];
    // The first entry of the lock is the package itself.
    assert.equal(Number(written), installed.length + NATIVE);
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
