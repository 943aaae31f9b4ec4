import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { packageRoot } from "#lib/packages";
import { assertLinear, REPEATED } from "../support/growth.js";

/** Their patterns run over whole texts that strangers, authors or visitors wrote. */
const ROOMS = ["plugins/import", "plugins/markdown"];

/** The regular expressions that a file writes. */
function patternsOf(file: string): { name: string; pattern: RegExp }[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const found: { name: string; pattern: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      found.push({ name: `${file}: ${node.text}`, pattern: new RegExp(pattern, flags) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("patterns of texts", function () {
  this.timeout(300_000);
  for (const room of ROOMS) {
    it(`of ${room} take linear time for repeated openings`, () => {
      const folder = join(packageRoot(), room);
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!/(?<!\.test)\.tsx?$/.test(name)) continue;
        for (const { name: label, pattern } of patternsOf(join(folder, name))) {
          for (const part of REPEATED)
            assertLinear(label, part, (text) => void text.replace(pattern, ""));
        }
      }
    });
  }
});
