import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Program } from "../../scripts/services/debian-program.js";
import { useFolder } from "../support/folder.js";
import { textOf } from "../support/repository.js";
import { useSystemdAnalyze } from "../support/services.js";

const run = promisify(execFile);
const page = textOf("content/05.operate/01.deployment/docs.md");
const [, unit = ""] = /title="\/etc\/systemd\/system\/site\.service"\n([^]*?)```/.exec(page) ?? [];
const [, rating = ""] = /rates the unit (\d\.\d) /.exec(page) ?? [];

describe("the systemd unit of the documentation", function () {
  this.timeout(300_000);
  const folder = useFolder();
  let analyze: Program;
  before(async function () {
    analyze = await useSystemdAnalyze(this);
  });

  async function call(...args: readonly string[]): Promise<string> {
    const env = { ...process.env, ...analyze.env };
    const { stdout, stderr } = await run(analyze.path, args, { env });
    return stdout + stderr;
  }

  it("is valid where the site is installed", async () => {
    const bin = join(folder.path, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "site"), "#!/bin/sh\n", { mode: 0o755 });
    const file = join(folder.path, "site.service");
    await writeFile(file, unit.replaceAll("/srv/notes", folder.path));
    assert.equal(await call("verify", file), "");
  });

  it("has the exposure that the page names", async () => {
    const file = join(folder.path, "site.service");
    await writeFile(file, unit);
    const text = await call("security", "--offline=true", file);
    assert.match(text, new RegExp(`Overall exposure level for site\\.service: ${rating} OK`));
  });
});
