import assert from "node:assert/strict";
import ts from "typescript";
import { filesOf, textOf } from "../support/repository.js";

/** Lines of code that the kernel may have: what knows no site belongs into lib/, a feature into its plugin. */
const MAX_LINES = 9_000;

/** The lines of a file that hold a token: comments and blank lines do not count. */
function countCodeLines(text: string): number {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.EndOfFileToken) return;
    const children = node.getChildren(source);
    if (children.length > 0) return children.forEach(visit);
    if (node.getWidth(source) === 0) return;
    const { line: first } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const { line: last } = source.getLineAndCharacterOfPosition(node.end);
    for (let line = first; line <= last; line += 1) lines.add(line);
  };
  visit(source);
  return lines.size;
}

describe("the size of the kernel", () => {
  it(`is at most ${MAX_LINES} lines of code`, () => {
    const files = filesOf("kernel/**/*.ts");
    assert.ok(files.length > 50, "the files were found");
    const lines = files.reduce((sum, file) => sum + countCodeLines(textOf(file)), 0);
    assert.ok(lines <= MAX_LINES, `kernel/ has ${lines} lines of code`);
  });

  it("counts each line with a token once, and no comments", () => {
    const text = [
      "/** A comment. */",
      "export const shown = `a",
      "  b`; // two lines",
      "",
      "  /* nothing */",
      "function one() { return 1; }",
      "// the end",
    ].join("\n");
    assert.equal(countCodeLines(text), 3);
  });
});
