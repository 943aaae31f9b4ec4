import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { firstSentence, parseComment } from "./doc-comment.js";
import { SourceModules } from "./source-modules.js";
import { code, table } from "./table.js";

/** Every room of lib/ with what it exports: a row for each function, class and constant. */
export function libraryRooms(root: string): string {
  const modules = new SourceModules(root);
  return globSync("lib/*/index.ts", { cwd: root })
    .sort()
    .map((door) => {
      const name = door.split("/")[1] ?? "";
      const header = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(`${root}/${door}`, "utf8"))?.[0];
      if (header === undefined) throw new Error(`${door} lacks a comment at its top`);
      const rows = [...modules.exportsOf(door)].flatMap(([exported, file]) => {
        const declaration = valueNamed(modules.source(file), exported);
        return declaration === undefined ? [] : [rowOf(exported, file, declaration)];
      });
      const body = table(["Export", "What it does"], rows.toSorted(byFirst));
      return `## ${code(`sitewright/lib/${name}`)}\n\n${parseComment(header).text}\n\n${body}`;
    })
    .join("\n\n");
}

/** The declaration of a value; undefined for a type. */
function valueNamed(source: ts.SourceFile, name: string): ts.Statement | undefined {
  return source.statements.find((statement) => {
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      return statement.name?.text === name;
    return (
      ts.isVariableStatement(statement) &&
      statement.declarationList.declarations.some(
        (declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name,
      )
    );
  });
}

function rowOf(name: string, file: string, declaration: ts.Statement): readonly string[] {
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(
    declaration.getFullText().slice(0, declaration.getLeadingTriviaWidth()),
  )?.[0];
  if (comment === undefined) throw new Error(`${name} in ${file} lacks a doc comment`);
  const parameters = ts.isFunctionDeclaration(declaration)
    ? `(${declaration.parameters
        .filter((parameter) => ts.isIdentifier(parameter.name))
        .map((parameter) => parameter.name.getText())
        .join(", ")})`
    : "";
  return [code(name + parameters), firstSentence(parseComment(comment.trim()).text)];
}

function byFirst([a = ""]: readonly string[], [b = ""]: readonly string[]): number {
  return a < b ? -1 : 1;
}
