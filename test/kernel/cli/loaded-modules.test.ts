import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { inFolder } from "../../support/probe-folder.js";

const bin = fileURLToPath(new URL("../../../kernel/cli/bin.mjs", import.meta.url));
const hook = new URL("../../support/processes/note-modules.mjs", import.meta.url);

/** Packages that any site needs until it is ready, beside those in the bundle. */
const OF_SERVE = [
  "@node-rs/argon2",
  "cors",
  "diff",
  "express",
  "express-rate-limit",
  "github-slugger",
  "helmet",
  "ip-address",
  "micromark-util-normalize-identifier",
  "mime-types",
  "pino",
  "preact",
  "preact-render-to-string",
  "qs",
  "smol-toml",
  "ulid",
];
/** Packages that the site of a command needs, beside those in the bundle. */
const OF_COMMANDS = [
  "diff",
  "github-slugger",
  "micromark-util-normalize-identifier",
  "mime-types",
  "preact",
  "preact-render-to-string",
  "smol-toml",
  "ulid",
];
/** Files of the bundle, at most: each costs a third of a millisecond on Node 20. */
const FILES = { help: 3, settings: 20, serve: 60 };

/** What a run loads: packages, and files of the bundle. */
interface Loaded {
  readonly packages: readonly string[];
  readonly files: readonly string[];
}

/** Runs `site` in a folder until it ends, or until its output has `ready`. */
async function loadedBy(root: string, words: readonly string[], ready?: string): Promise<Loaded> {
  const noted = join(root, "modules.txt");
  const options = {
    cwd: root,
    env: { ...process.env, NOTED_MODULES: noted, SITEWRIGHT_DIST: "current" },
  };
  const argv = ["--import", hook.href, bin, ...words];
  if (ready === undefined) {
    const { status, stderr } = spawnSync(process.execPath, argv, { ...options, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  } else {
    const child = spawn(process.execPath, argv, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    child.stderr.on("data", (chunk) => (text += String(chunk)));
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (text.includes(ready)) child.kill("SIGTERM");
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    assert.ok(text.includes(ready), text);
  }
  const urls = existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : [];
  const names = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  const dist = pathToFileURL(join(bin, "../../../dist/")).href;
  const files = urls.filter((url) => url.startsWith(dist)).map((url) => url.slice(dist.length));
  return { packages: [...new Set(names)].toSorted(), files };
}

const SET_UP = /^chunks\/set-up-/;
const FIRST_PARTY = /^chunks\/first-party-plugins-/;

describe("zod in the bundle", () => {
  const plugin = `import { z } from "zod";
const de = (received) => z.string().safeParse(received, { error: z.locales.de().localeError });
export default {
  name: "words", version: "1.0.0",
  commands: [{ name: "words:show", summary: "shows a message", run: ({ out }) => {
    out.line(de(7).error.issues[0].message);
    out.line(Object.keys(z.locales).length + " languages");
  } }],
};
`;

  it("gives a site's plugin the messages of all languages", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: { words: { src: ./plugins/words.mjs } }\n",
        "plugins/words.mjs": plugin,
      },
      (root) => {
        const { locales } = z;
        const env = { ...process.env, SITEWRIGHT_DIST: "current" };
        const { stdout } = spawnSync(process.execPath, [bin, "words:show"], {
          cwd: root,
          env,
          encoding: "utf8",
        });
        const wanted = z.string().safeParse(7, { error: locales.de().localeError });
        assert.deepEqual(stdout.trim().split("\n"), [
          wanted.error?.issues[0]?.message,
          `${Object.keys(locales).length} languages`,
        ]);
      },
    ));
});

describe("the modules that the command line loads", () => {
  const site = { "site.yaml": "title: T\n", "content/index.md": "# Home\n" };

  it("for its version: none", () =>
    inFolder(site, async (root) => {
      assert.deepEqual(await loadedBy(root, ["--version"]), { packages: [], files: [] });
    }));

  for (const words of [["--help"], ["content:list", "--help"], ["serve", "--help"]]) {
    it(`for ${words.join(" ")}: those that print it, and no plugin`, () =>
      inFolder(site, async (root) => {
        const { packages, files } = await loadedBy(root, words);
        assert.deepEqual(packages, []);
        assert.deepEqual(
          files.filter((file) => FIRST_PARTY.test(file)),
          [],
        );
        assert.ok(files.length <= FILES.help, files.join("\n"));
      }));
  }

  it("for a site that selects plugins: the reader of its files too, and still no plugin", () =>
    inFolder({ ...site, "site.yaml": "plugins: [content, check]\n" }, async (root) => {
      const { files } = await loadedBy(root, ["--help"]);
      assert.ok(
        files.some((file) => file.startsWith("chunks/read-files-")),
        files.join("\n"),
      );
      assert.ok(!files.some((file) => FIRST_PARTY.test(file)));
    }));

  it("for config:validate: the declarations of plugins, and none of their work", () =>
    inFolder(site, async (root) => {
      const { packages, files } = await loadedBy(root, ["config:validate"]);
      assert.deepEqual(packages, []);
      assert.ok(files.length <= FILES.settings, files.join("\n"));
      assert.ok(files.some((file) => FIRST_PARTY.test(file)));
      assert.deepEqual(
        files.filter((file) => SET_UP.test(file)),
        [],
      );
    }));

  for (const [what, words, ready] of [
    ["config:validate", ["config:validate"], undefined],
    ["serve", ["serve", "--port", "0"], "ready after"],
  ] as const) {
    it(`for ${what}: no other command, and no check of site doctor`, () =>
      inFolder(site, async (root) => {
        const { files } = await loadedBy(root, words, ready);
        const sources = files.map((file) => readFileSync(join(bin, "../../../dist", file), "utf8"));
        for (const text of [
          "another process is writing the configuration",
          "list every page: route",
          "argon2 cannot hash",
          "write the whole site to one archive",
        ]) {
          assert.ok(!sources.some((source) => source.includes(text)), text);
        }
      }));
  }

  it("for content:list: nothing of a server, such as Express", () =>
    inFolder(site, async (root) => {
      const { packages, files } = await loadedBy(root, ["content:list"]);
      assert.deepEqual(packages, OF_COMMANDS);
      assert.deepEqual(
        files.filter((file) => /^chunks\/(?:server|site-front)-/.test(file)),
        [],
      );
    }));

  it("for serve: no setup of a plugin that is off", () =>
    inFolder({ ...site, "admin.yaml": "enabled: false\n" }, async (root) => {
      const off = await loadedBy(root, ["serve", "--port", "0"], "ready after");
      await writeFile(join(root, "admin.yaml"), "enabled: true\n");
      const on = await loadedBy(root, ["serve", "--port", "0"], "ready after");
      const setUps = ({ files }: typeof on): number =>
        files.filter((one) => SET_UP.test(one)).length;
      assert.deepEqual([setUps(off), setUps(on)], [0, 1]);
    }));

  it("for serve: no file with a copy of all names of node:fs", () =>
    inFolder(site, async (root) => {
      const { files } = await loadedBy(root, ["serve", "--port", "0"], "ready after");
      const copies = files.filter((file) =>
        /__toESM\(\s*require_node_fs\(/.test(
          readFileSync(join(bin, "../../../dist", file), "utf8"),
        ),
      );
      assert.deepEqual(copies, []);
    }));

  it("come from the compile cache of Node, except for serve, which would hold it in memory", () => {
    const program = 'import m from "node:module"; m.enableCompileCache = () => console.log("on");';
    const hooked = ["--import", `data:text/javascript,${encodeURIComponent(program)}`, bin];
    const isOn = (...words: readonly string[]): boolean =>
      spawnSync(process.execPath, [...hooked, ...words], {
        env: { ...process.env, SITEWRIGHT_DIST: "current" },
        encoding: "utf8",
      }).stdout.startsWith("on\n");
    assert.deepEqual([isOn("--help"), isOn("serve", "--help")], [true, false]);
  });

  it("for serve, until the site is ready", () =>
    inFolder(site, async (root) => {
      const { packages, files } = await loadedBy(root, ["serve", "--port", "0"], "ready after");
      assert.deepEqual(packages, OF_SERVE);
      assert.ok(files.length <= FILES.serve, files.join("\n"));
    }));
});
