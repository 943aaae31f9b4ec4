import { globSync } from "tinyglobby";
import ts from "typescript";
import { parseComment, type DocComment } from "./doc-comment.js";
import { namesIn, SourceModules, type NamedType, type TypeDeclaration } from "./source-modules.js";

/** A member of an interface, with the type that it names, if it names one. */
export interface ContractMember {
  /** Empty for a call or index signature. */
  name: string;
  /** As in the source, without comments. */
  signature: string;
  type: ts.TypeNode | undefined;
  comment: DocComment;
  owner: string;
  file: string;
  /** The types that the signature names, without those of the language. */
  names: readonly NamedType[];
}
/** A named type of a contract: its members, or the text of a type alias. */
export interface ContractType {
  members: readonly ContractMember[];
  alias: string | null;
  /** `<T>` of a generic type; empty for others. */
  parameters: string;
  /** What an interface or a class extends. */
  bases: readonly NamedType[];
  /** The types that an alias or a type parameter names. */
  names: readonly NamedType[];
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
  readonly #modules: SourceModules;
  readonly #types = new Map<string, ContractType[]>();
  readonly #byFile = new Map<string, ContractType>();
  readonly #files: readonly string[];

  constructor(root: string) {
    this.#modules = new SourceModules(root);
    const plugins = globSync("plugins/*/{contract,contract/*,browser-contract}.ts", {
      cwd: root,
    });
    this.#files = [
      ...globSync(["kernel/contracts/*.ts", "lib/*/contract.ts"], { cwd: root }),
      ...plugins,
    ].sort();
    for (const file of this.#files) this.#read(file);
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

  /** A type with the members of all its declarations, those that plugins merge into it included. */
  type({ name, from }: NamedType): ContractType {
    const declared = this.#modules.declarations(from, name).map((node) => this.#typeOf(node, from));
    const [first] = declared;
    if (first === undefined) throw new Error(`${from} does not declare the type ${name}`);
    const merged = this.#files.flatMap((file) =>
      this.#modules.merged(file, name).map((node) => this.#typeOf(node, file)),
    );
    return { ...first, members: [...declared, ...merged].flatMap(({ members }) => members) };
  }

  /** Every type that the entry points export or that a signature of theirs names, by file and name. */
  publicTypes(doors: readonly string[]): readonly NamedType[] {
    const found = new Map<string, NamedType>();
    const reach = (types: readonly NamedType[]): void => {
      for (const type of types) {
        const key = `${type.from} ${type.name}`;
        if (type.isForeign || found.has(key)) continue;
        found.set(key, type);
        const { bases, members, names } = this.type(type);
        reach([...bases, ...names, ...members.flatMap((member) => member.names)]);
      }
    };
    for (const door of doors) {
      for (const [name, file] of this.#modules.exportsOf(door)) {
        const type = this.#modules.resolve(file, name);
        reach(type === undefined ? this.#namesOfFunction(file, name) : [type]);
      }
    }
    return [...found.values()];
  }

  #namesOfFunction(file: string, name: string): NamedType[] {
    const { statements } = this.#modules.source(file);
    return statements
      .filter(ts.isFunctionDeclaration)
      .filter((node) => node.name?.text === name)
      .flatMap((node) => this.#namesIn(node, file));
  }

  #namesIn(node: ts.Node, file: string): NamedType[] {
    return namesIn(node).flatMap((name) => this.#modules.resolve(file, name) ?? []);
  }

  #read(file: string): void {
    const visit = (node: ts.Node): void => {
      this.#collectExample(node, file);
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
        const name = node.name.text;
        const type = this.#typeOf(node, file);
        this.#types.set(name, [...(this.#types.get(name) ?? []), type]);
        this.#byFile.set(`${file} ${name}`, type);
      }
      ts.forEachChild(node, visit);
    };
    visit(this.#modules.source(file));
  }

  #typeOf(node: TypeDeclaration, file: string): ContractType {
    const parameters = (node.typeParameters ?? []).map((parameter) => parameter.getText());
    const common = {
      parameters: parameters.length === 0 ? "" : `<${parameters.join(", ")}>`,
      comment: commentOf(node),
    };
    if (ts.isTypeAliasDeclaration(node)) {
      const names = this.#namesIn(node, file);
      return { ...common, members: [], alias: textOf(node.type), bases: [], names };
    }
    const extended = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    const own = node.members.flatMap((member) => this.#member(member, file));
    const ownNames = new Set(own.map(({ name }) => name));
    const inherited = extended
      .flatMap((base) => this.#inherited(base, file))
      .filter(
        ({ name, signature }) => !ownNames.has(name) && !signature.startsWith("constructor("),
      );
    return {
      ...common,
      members: [...inherited, ...own],
      alias: null,
      bases: extended.flatMap((base) => this.#namesIn(base, file)),
      names: (node.typeParameters ?? []).flatMap((parameter) => this.#namesIn(parameter, file)),
    };
  }

  #inherited({ expression }: ts.ExpressionWithTypeArguments, file: string): ContractMember[] {
    const base = this.#modules.resolve(file, expression.getText());
    if (base === undefined || base.isForeign) return [];
    return this.#modules
      .declarations(base.from, base.name)
      .flatMap((node) => this.#typeOf(node, base.from).members);
  }

  /** Nothing for a private member of a class. */
  #member(member: ts.TypeElement | ts.ClassElement, file: string): ContractMember[] {
    if (isPrivate(member)) return [];
    const type =
      ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) ? member.type : undefined;
    return [
      {
        name: member.name?.getText() ?? "",
        signature: signatureOf(member),
        type,
        comment: commentOf(member),
        owner: /^plugins\/([^/]+)\//.exec(file)?.[1] ?? "kernel",
        file,
        names: this.#namesIn(member, file),
      },
    ];
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

function isPrivate(member: ts.TypeElement | ts.ClassElement): boolean {
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return true;
  const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true;
}

/** The text of a member with its line breaks, which the formatter has set; of a class without its code. */
function signatureOf(member: ts.TypeElement | ts.ClassElement): string {
  const source = member.getSourceFile();
  const start = member.getStart();
  const { character } = source.getLineAndCharacterOfPosition(start);
  const indent = new RegExp(`^ {${character}}`, "gm");
  const body = ts.isFunctionLike(member) && "body" in member ? member.body : undefined;
  const value = ts.isPropertyDeclaration(member) ? member.initializer : undefined;
  const end = body?.getStart() ?? value?.getFullStart() ?? member.end;
  const text = source.text
    .slice(start, end)
    .trimEnd()
    .replace(/ =$/, "")
    .replace(/^(?:declare |override )+/, "");
  return `${text}${end === member.end ? "" : ";"}`
    .replace(/\n\s*\/\*\*[\s\S]*?\*\//g, "")
    .replace(indent, "");
}

function commentOf(node: ts.Node): DocComment {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return parseComment(comments.at(-1)?.getText() ?? "");
}
