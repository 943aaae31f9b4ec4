import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Output } from "#kernel";
import { migrateFlexCommand, reportLines } from "../../../plugins/flex/migrate-command.js";
import { bootSite } from "../../support/sites/boot-site.js";

const plain = (text: string): string => text;
function output() {
  const lines: string[] = [];
  const out: Output = {
    line: (text = "") => void lines.push(text),
    json: () => assert.fail("no JSON is asked for"),
    error: (text) => void lines.push(`error: ${text}`),
    progress: (label, total) => ({
      tick: (done) => void lines.push(`${label} ${done}/${total}`),
      end: () => undefined,
    }),
    colour: { bold: plain, dim: plain, green: plain, red: plain, yellow: plain, cyan: plain },
  };
  return { out, lines };
}

describe("site migrate:flex", () => {
  const files = {
    "flex-objects/product.yaml": "title: P\nversion: 1\nfields:\n  name: { type: text }\n",
    "flex-objects/product/a.yaml": "label: A\n",
    "flex-objects/product/b.yaml": "_schemaVersion: 1\nname: B\n",
    "flex-objects/other.yaml": "title: O\nfields: {}\n",
    "migrations/product/001-name.ts":
      "export const from: number = 0;\nexport const to = 1;\n" +
      "export function up({ label, ...rest }: { label?: string }) { return { ...rest, name: label }; }\n",
  };

  async function run(args: string[], options: Record<string, unknown> = {}) {
    const site = await bootSite({ plugins: ["content", "flex"], files });
    const { out, lines } = output();
    try {
      const context = site.site.context("flex");
      const input = { args, options, out, root: site.root, site: () => Promise.resolve(context) };
      const code = await migrateFlexCommand().run(input);
      const text = await readFile(join(site.root, "flex-objects/product/a.yaml"), "utf8");
      return { code, lines, text };
    } finally {
      await site.close();
    }
  }

  it("migrates every type with a progress bar, and reports the result", async () => {
    const { code, lines, text } = await run([]);
    assert.equal(code, 0);
    assert.deepEqual(lines, [
      "other: 0 records — 0 migrated, 0 already current",
      "product 1/2",
      "product 2/2",
      "product: 2 records — 1 migrated (v0 → v1), 1 already current",
    ]);
    assert.match(text, /^name: A$/m);
  });

  it("only reports changes with --dry-run, for the given type", async () => {
    const { lines, text } = await run(["product"], { dryRun: true });
    assert.equal(
      lines.at(-1),
      "product: 2 records — 1 would be migrated (v0 → v1), 1 already current",
    );
    assert.equal(lines.length, 3);
    assert.equal(text, "label: A\n");
  });

  it("lists the types when the given one is unknown", async () => {
    await assert.rejects(run(["constructor"]), {
      exitCode: 2,
      message: 'no flex type is named "constructor"',
      fix: "use one of other, product",
    });
  });
});

describe("reportLines", () => {
  it("lists failed records", () => {
    const failed = [{ id: "x", message: "why" }];
    const report = { type: "t", records: 1, migrated: 0, current: 0, from: 2, to: 2, failed };
    assert.deepEqual(reportLines(report, false), [
      "t: 1 records — 0 migrated, 0 already current",
      "  t/x: why",
    ]);
  });
});
