import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { code, table } from "./table.js";

interface DeclaredHook {
  name: string;
  kind: string;
  payload: string;
  owner: string;
  doc: string;
}

/** Every hook that a contract declares, with kind and payload. */
export function hookReference(root: string): string {
  const files = [
    "kernel/contracts/hooks.ts",
    ...globSync("plugins/*/contract.ts", { cwd: root }).sort(),
  ];
  const hooks = files.flatMap((file) => hooksIn(file, readFileSync(`${root}/${file}`, "utf8")));
  const rows = hooks.map(({ name, kind, payload, owner, doc }) => [
    `${code(name)}<br><small>${kind}, ${owner}</small>`,
    `${fields(payload)}${doc === "" ? "" : `. ${doc}`}`,
  ]);
  return table(["Hook, kind, who fires it", "Payload (`ctx.data`): its fields, or its type"], rows);
}

function hooksIn(file: string, text: string): DeclaredHook[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const owner = /^plugins\/([^/]+)\//.exec(file)?.[1] ?? "kernel";
  const found: DeclaredHook[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === "HookMap") {
      found.push(...node.members.flatMap((member) => hookOf(member, owner)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function hookOf(member: ts.TypeElement, owner: string): DeclaredHook[] {
  if (!ts.isPropertySignature(member) || member.type === undefined) return [];
  if (!ts.isTypeReferenceNode(member.type)) return [];
  const [data] = member.type.typeArguments ?? [];
  const payload = (data?.getText() ?? "").replace(/\s+/g, " ").replace(/;? }/g, " }");
  const kind = member.type.typeName.getText().replace("Hook", "").toLowerCase();
  return [{ name: member.name.getText(), kind, payload, owner, doc: docOf(member) }];
}

/** A payload with one field per line, to fit its column. */
function fields(payload: string): string {
  const inner = /^\{ (.*) \}$/.exec(payload)?.[1] ?? payload;
  return inner.split("; ").map(code).join(", ");
}

function docOf(member: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(member);
  return comments.map((comment) => ts.getTextOfJSDocComment(comment.comment) ?? "").join(" ");
}
