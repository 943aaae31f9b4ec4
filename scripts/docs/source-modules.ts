import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** Where the name of a type leads: to a file of this repository, or to a package. */
export interface NamedType {
  name: string;
  /** The file that declares it; for a type of a package or of Node.js, its module. */
  from: string;
  isForeign: boolean;
}
/** A declaration of a type: merged interfaces have several. */
export type TypeDeclaration =
  ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration;

interface Binding {
  module: string;
  name: string;
}
interface SourceModule {
  source: ts.SourceFile;
  declarations: Map<string, TypeDeclaration[]>;
  /** What it merges into types of other modules: `declare module "…"`. */
  merged: Map<string, TypeDeclaration[]>;
  /** Imported and re-exported names. */
  bindings: Map<string, Binding>;
  /** Modules of `export *`. */
  stars: string[];
}

/** The source files of the repository, read when a name leads to them. */
export class SourceModules {
  readonly #root: string;
  readonly #modules = new Map<string, SourceModule>();
  readonly #doors: Readonly<Record<string, { source: string }>>;

  constructor(root: string) {
    this.#root = root;
    const { imports }: { imports: Record<string, { source: string }> } = JSON.parse(
      readFileSync(`${root}/package.json`, "utf8"),
    );
    this.#doors = imports;
  }

  source(file: string): ts.SourceFile {
    return this.#read(file).source;
  }

  /** The declarations of a type in a file; none for a name that it only imports. */
  declarations(file: string, name: string): readonly TypeDeclaration[] {
    return this.#read(file).declarations.get(name) ?? [];
  }

  /** What a file merges into a type of another module. */
  merged(file: string, name: string): readonly TypeDeclaration[] {
    return this.#read(file).merged.get(name) ?? [];
  }

  /** The type that a name means in a file; undefined for one of the language, and for other values. */
  resolve(file: string, name: string): NamedType | undefined {
    const { declarations, bindings, stars } = this.#read(file);
    if (declarations.has(name)) return { name, from: file, isForeign: false };
    const binding = bindings.get(name);
    if (binding !== undefined) return this.#follow(file, binding);
    for (const module of stars) {
      const found = this.#follow(file, { module, name });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The types and functions that a door exports: name to the file that declares it. */
  exportsOf(door: string): ReadonlyMap<string, string> {
    const { source, bindings, stars } = this.#read(door);
    const found = new Map<string, string>();
    for (const node of source.statements) {
      if (isExported(node) && nameOf(node) !== undefined) found.set(nameOf(node) ?? "", door);
      if (!ts.isExportDeclaration(node) || node.exportClause === undefined) continue;
      if (!ts.isNamedExports(node.exportClause)) continue;
      for (const { name } of node.exportClause.elements) {
        const binding = bindings.get(name.text);
        const file = binding && this.#fileOf(door, binding.module);
        if (binding === undefined || file === undefined) continue;
        const from = this.exportsOf(file).get(binding.name);
        if (from !== undefined) found.set(name.text, from);
      }
    }
    for (const module of stars) {
      const file = this.#fileOf(door, module);
      if (file !== undefined)
        for (const [name, from] of this.exportsOf(file)) found.set(name, from);
    }
    return found;
  }

  #follow(file: string, { module, name }: Binding): NamedType | undefined {
    const target = this.#fileOf(file, module);
    return target === undefined
      ? { name, from: module, isForeign: true }
      : this.resolve(target, name);
  }

  /** Undefined for a package. */
  #fileOf(file: string, module: string): string | undefined {
    if (module.startsWith("#")) return this.#doors[module]?.source.replace("./", "");
    if (!module.startsWith(".")) return undefined;
    const path = join(dirname(file), module).replace(/\.js$/, "");
    return [".ts", ".tsx", ".d.ts"]
      .map((extension) => path + extension)
      .find((candidate) => existsSync(`${this.#root}/${candidate}`));
  }

  #read(file: string): SourceModule {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(`${this.#root}/${file}`, "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const module: SourceModule = {
      source,
      declarations: new Map(),
      merged: new Map(),
      bindings: new Map(),
      stars: [],
    };
    this.#modules.set(file, module);
    ts.forEachChild(source, (node) => collect(node, module));
    return module;
  }
}

/** The names of types that a node contains, without those of type parameters. */
export function namesIn(node: ts.Node): string[] {
  const names: string[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isBlock(child)) return;
    if (ts.isTypeReferenceNode(child)) names.push(leftmost(child.typeName));
    if (ts.isExpressionWithTypeArguments(child)) names.push(child.expression.getText());
    ts.forEachChild(child, visit);
  };
  visit(node);
  return [...new Set(names)].filter((name) => !isTypeParameter(node, name));
}

/** True where the node, what contains it, or what it contains declares a type parameter of this name. */
function isTypeParameter(node: ts.Node, name: string): boolean {
  const declares = (child: ts.Node): boolean =>
    (ts.isTypeParameterDeclaration(child) && child.name.text === name) ||
    ts.forEachChild(child, declares) === true;
  if (declares(node)) return true;
  for (let parent = node.parent; parent !== undefined; parent = parent.parent) {
    const parameters =
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isClassDeclaration(parent)
        ? (parent.typeParameters ?? [])
        : [];
    if (parameters.some((parameter) => parameter.name.text === name)) return true;
  }
  return false;
}

function leftmost(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : leftmost(name.left);
}

function collect(node: ts.Node, module: SourceModule, declarations = module.declarations): void {
  const { bindings, stars } = module;
  if (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isClassDeclaration(node) && node.name !== undefined)
  ) {
    const name = node.name?.text ?? "";
    declarations.set(name, [...(declarations.get(name) ?? []), node]);
  } else if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const imported = node.importClause?.namedBindings;
    const { text } = node.moduleSpecifier;
    if (imported !== undefined && ts.isNamedImports(imported)) {
      for (const element of imported.elements) bindings.set(...bound(element, text));
    }
    const whole = node.importClause?.name ?? (imported as ts.NamespaceImport | undefined)?.name;
    if (whole !== undefined) bindings.set(whole.text, { module: text, name: whole.text });
  } else if (ts.isExportDeclaration(node)) {
    const { exportClause, moduleSpecifier } = node;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return;
    if (exportClause === undefined) stars.push(moduleSpecifier.text);
    else if (ts.isNamedExports(exportClause)) {
      for (const element of exportClause.elements) {
        bindings.set(...bound(element, moduleSpecifier.text));
      }
    }
  } else if (ts.isModuleDeclaration(node) && node.body !== undefined) {
    ts.forEachChild(node.body, (child) => collect(child, module, module.merged));
  }
}

function bound(
  { name, propertyName }: ts.ImportSpecifier | ts.ExportSpecifier,
  module: string,
): [string, Binding] {
  return [name.text, { module, name: (propertyName ?? name).text }];
}

function isExported(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

function nameOf(node: ts.Statement): string | undefined {
  const isNamed =
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node);
  return isNamed ? node.name?.text : undefined;
}
