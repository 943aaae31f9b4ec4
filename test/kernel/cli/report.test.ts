import assert from "node:assert/strict";
import { chmod, chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommanderError } from "commander";
import { ConfigError, optionError, SiteError } from "#kernel";
import { report } from "../../../kernel/cli/report.js";
import type { Output } from "../../../kernel/contracts.js";
import { useFolder } from "../../support/folder.js";

describe("report", () => {
  function told(error: unknown): { code: number; text: string } {
    const lines: string[] = [];
    const plain = (text: string): string => text;
    const colour = {
      bold: plain,
      dim: plain,
      green: plain,
      red: plain,
      yellow: plain,
      cyan: plain,
    };
    const out: Output = {
      line: (text = "") => void lines.push(text),
      json: () => undefined,
      error: (text) => void lines.push(text),
      progress: () => ({ tick: () => undefined, end: () => undefined }),
      colour,
    };
    return { code: report(error, out), text: lines.join("\n") };
  }

  it("prints an error of ours with its code, fix and where to read more, and no stack", () => {
    const { code, text } = told(new SiteError("ERR_X", "what was wrong", { fix: "do this" }));
    const [wrong, fix, at, more, ...others] = text.split("\n");
    assert.deepEqual([code, wrong, fix], [1, "✗ what was wrong ERR_X", "  fix: do this"]);
    assert.match(at ?? "", /^ {2}at: .*report\.test\.ts:\d+:\d+$/);
    assert.deepEqual([more, others], ["  more: site errors:explain ERR_X", []]);
  });

  it("adds the stack of the author's code when a plugin has thrown", () => {
    const { text } = told(new SiteError("ERR_X", "outer", { cause: new Error("inner") }));
    assert.match(text, /Error: inner\n.*at .*report\.test\.ts:\d+/);
  });

  it("prints no frames of this package for a mistake in a file of the site", () => {
    const cause = new Error("unknown key\n/srv/site/theme.yaml:3:1");
    const own = fileURLToPath(new URL("../../../kernel/cli/report.ts", import.meta.url));
    cause.stack = `Error: ${cause.message}\n    at f (${own}:5:9)\n    at g (node:fs:1:1)`;
    const { text } = told(new SiteError("ERR_X", "theme.yaml:3: unknown key", { cause }));
    assert.deepEqual(text.split("\n"), [
      "✗ theme.yaml:3: unknown key ERR_X",
      "  at: /srv/site/theme.yaml:3:1",
      "  more: site errors:explain ERR_X",
    ]);
  });

  it("prints the author's frames of any exception, and counts the others", () => {
    const error = new Error("no boats today");
    error.stack = `Error: no boats today
    at f (/srv/site/plugins/shop.mjs:3:9)
    at g (/srv/site/node_modules/commander/lib/command.js:568:17)
    at h (node:internal/x:1:1)`;
    assert.deepEqual(told(error).text.split("\n"), [
      "✗ Error: no boats today",
      "    at f (/srv/site/plugins/shop.mjs:3:9)",
      "    … 2 frames of packages and Node.js",
    ]);
  });

  it("names no position in a package, only in the author's code", () => {
    const error = optionError('received "--port abc"', { fix: "pass a number" });
    error.stack = "Error: x\n    at f (/srv/node_modules/commander/lib/command.js:568:17)";
    const { code, text } = told(error);
    assert.equal(code, 2);
    assert.doesNotMatch(text, /at:|commander/);
  });

  for (const [errno, meaning] of [
    ["EACCES", /permission denied/],
    ["EROFS", /read-only/],
    ["ENOSPC", /disk is full/],
  ] as const) {
    it(`prints ${errno} in two lines: the path and the fix`, () => {
      const error = Object.assign(new Error(`${errno}: x, mkdir '/srv/site/.dune'`), {
        code: errno,
        path: "/srv/site/.dune",
        syscall: "mkdir",
      });
      const { code, text } = told(error);
      const [wrong = "", fix = "", ...others] = text.split("\n");
      assert.deepEqual([code, others], [1, []]);
      assert.match(wrong, /^✗ \/srv\/site\/\.dune /);
      assert.match(wrong, meaning);
      assert.match(fix, /^ {2}fix: /);
    });
  }

  describe("permission denied", () => {
    const site = useFolder();
    const here = process.cwd();
    beforeEach(async () => {
      process.chdir(site.path);
      await mkdir(join(site.path, "my notes"));
    });
    afterEach(() => process.chdir(here));
    const denied = (path: string): string => {
      const text = `EACCES: permission denied, mkdir '${path}'`;
      return told(Object.assign(new Error(text), { code: "EACCES", path, syscall: "mkdir" })).text;
    };

    it("names the path from the current folder, and the folder that refused it", () => {
      const text = denied(join(site.path, "my notes/.dune/admin"));
      assert.match(text, /^✗ my notes\/\.dune\/admin cannot be written/);
      assert.match(text, /fix: .* 'my notes'$/);
      assert.ok(!text.includes(site.path), text);
    });

    it("advises the owner to change the mode, and anybody else to become the owner", async function () {
      const folder = join(site.path, "my notes");
      await chmod(folder, 0o555);
      assert.match(denied(join(folder, ".dune")), /chmod -R u\+rwX 'my notes'$/);
      if (process.getuid?.() !== 0) this.skip();
      await chown(folder, 65_534, 65_534);
      assert.match(denied(join(folder, ".dune")), /chown -R "\$\(id -un\)" 'my notes'$/);
    });

    it("names a folder elsewhere as it is", () => {
      assert.match(denied("/proc/1/.dune"), /^✗ \/proc\/1\/\.dune [^]* \/proc\/1$/);
    });
  });

  it("lists every problem of a configuration", () => {
    const problem = {
      file: "site.yaml",
      line: 2,
      column: 3,
      key: "title",
      received: 1,
      expected: "text",
      fix: "say it",
    };
    const { code, text } = told(new ConfigError([problem, { ...problem, key: "url" }]));
    assert.equal(code, 1);
    assert.match(text, /site\.yaml:2:3.*title[^]*site\.yaml:2:3.*url/);
  });

  it("returns 2 for a command that could not run, 0 for help", () => {
    assert.equal(told(new CommanderError(1, "commander.unknownCommand", "x")).code, 2);
    assert.equal(told(new CommanderError(0, "commander.help", "x")).code, 0);
  });

  it("prints the stack of any other error", () => {
    const { code, text } = told(new Error("broken"));
    assert.equal(code, 1);
    assert.match(text, /broken\n\s+at /);
    assert.equal(told("thrown text").text, "✗ thrown text");
  });
});
