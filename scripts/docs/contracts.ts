import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { parseComment, type DocComment } from "./doc-comment.js";

/** A member of an interface, with the type that it names, if it names one. */
export interface ContractMember {
  name: string;
  /** As in the source, without comments. */
  signature: string;
  type: ts.TypeNode | undefined;
  comment: DocComment;
  owner: string;
  file: string;
}
/** A named type of a contract: its members, or the text of a type alias. */
export interface ContractType {
  members: readonly ContractMember[];
  alias: string | null;
  comment: DocComment;
}
/** An example of a contract. */
export interface ContractExample {
  /** File and line. */
  place: string;
  code: string;
}

/** The types that the kernel and the plugins declare for plugins. */
export class Contracts {
  readonly examples: ContractExample[] = [];
  readonly #types = new Map<string, ContractType[]>();
  readonly #byFile = new Map<string, ContractType>();

  constructor(root: string) {
    const plugins = globSync("plugins/*/{contract,browser-contract}.ts", { cwd: root });
    for (const file of [...globSync("kernel/contracts/*.ts", { cwd: root }), ...plugins].sort()) {
      const text = readFileSync(`${root}/${file}`, "utf8");
      this.#read(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), file);
    }
  }

  /** Members of all declarations of an interface, the kernel's first. */
  members(name: string): ContractMember[] {
    return (this.#types.get(name) ?? []).flatMap(({ members }) => members);
  }

  /** A type by name. @throws Error for an unknown one: the reference names types that exist. */
  named(name: string): ContractType {
    const [first] = this.#types.get(name) ?? [];
    if (first === undefined) throw new Error(`no contract declares the type ${name}`);
    return first;
  }

  /** The type that a member names; undefined for any other type. */
  typeOf({ type, file }: ContractMember): ContractType | undefined {
    if (type === undefined || !ts.isTypeReferenceNode(type)) return undefined;
    const name = type.typeName.getText();
    return this.#byFile.get(`${file} ${name}`) ?? this.#types.get(name)?.[0];
  }

  #read(source: ts.SourceFile, file: string): void {
    const visit = (node: ts.Node): void => {
      this.#collectExample(node, file);
      if (ts.isInterfaceDeclaration(node)) this.#add(node, file, this.#interfaceOf(node, file));
      if (ts.isTypeAliasDeclaration(node)) {
        const alias = textOf(node.type);
        this.#add(node, file, { members: [], alias, comment: commentOf(node) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }

  #add(node: { name: ts.Identifier }, file: string, type: ContractType): void {
    const name = node.name.text;
    this.#types.set(name, [...(this.#types.get(name) ?? []), type]);
    this.#byFile.set(`${file} ${name}`, type);
  }

  #interfaceOf(node: ts.InterfaceDeclaration, file: string): ContractType {
    const owner = /^plugins\/([^/]+)\//.exec(file)?.[1] ?? "kernel";
    const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    const inherited = bases.flatMap(({ expression }) => this.members(expression.getText()));
    const own = node.members.flatMap((member) => {
      if (member.name === undefined) return [];
      const type = ts.isPropertySignature(member) ? member.type : undefined;
      const [name, signature] = [member.name.getText(), signatureOf(member)];
      return [{ name, signature, type, comment: commentOf(member), owner, file }];
    });
    return { members: [...inherited, ...own], alias: null, comment: commentOf(node) };
  }

  #collectExample(node: ts.Node, file: string): void {
    if (!ts.isInterfaceDeclaration(node) && !ts.isTypeElement(node)) return;
    const { example } = commentOf(node);
    if (example === null) return;
    const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
    this.examples.push({ place: `${file}:${line + 1}`, code: example });
  }
}

const printer = ts.createPrinter({ removeComments: true });

/** A node on one line, without comments. */
export function textOf(node: ts.Node): string {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text.replace(/\s+/g, " ").replaceAll("; }", " }");
}

/** The text of a member with its line breaks, which the formatter has set. */
function signatureOf(member: ts.TypeElement): string {
  const { character } = member.getSourceFile().getLineAndCharacterOfPosition(member.getStart());
  const indent = new RegExp(`^ {${character}}`, "gm");
  return member
    .getText()
    .replace(/\n\s*\/\*\*[\s\S]*?\*\//g, "")
    .replace(indent, "");
}

function commentOf(node: ts.Node): DocComment {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return parseComment(comments.at(-1)?.getText() ?? "");
}
