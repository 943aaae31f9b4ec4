import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { useFolder } from "../../support/folder.js";

const BIN = fileURLToPath(new URL("../../../kernel/cli/bin.mjs", import.meta.url));
const HOOKS = `
  const hidden = ["sharp", "@node-rs/argon2"];
  export const resolve = async (name, context, next) => {
    if (hidden.includes(name)) throw new Error("Cannot find package " + name);
    return next(name, context);
  };
`;
const toUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const HIDE = toUrl(
  `import { register } from "node:module"; register(${JSON.stringify(toUrl(HOOKS))});`,
);
const report = z.object({
  findings: z.array(
    z.object({
      check: z.string(),
      level: z.string(),
      seen: z.string(),
      fix: z.string().nullable(),
    }),
  ),
});

describe("site doctor without native packages", () => {
  const folder = useFolder();

  it("names each package, and how to install it", async () => {
    await mkdir(join(folder.path, "content"));
    await writeFile(join(folder.path, "site.yaml"), "title: T\n");
    const args = ["--import", HIDE, BIN, "doctor", "--json", "--root", folder.path];
    const { code, stdout } = await run(args);
    assert.equal(code, 1);
    const { findings } = report.parse(JSON.parse(stdout));
    for (const [check, seen, fix] of [
      ["images", /sharp cannot process images: Cannot find package sharp/, /npm install .*sharp/],
      ["passwords", /argon2 cannot hash passwords: Cannot find package/, /npm install .*argon2/],
    ] as const) {
      const found = findings.find((one) => one.check === check);
      assert.equal(found?.level, "error", stdout);
      assert.match(found?.seen ?? "", seen);
      assert.match(found?.fix ?? "", fix);
    }
  });
});

function run(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout });
    });
  });
}
