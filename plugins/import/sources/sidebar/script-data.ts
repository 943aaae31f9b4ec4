/**
 * The data that a configuration in JavaScript, TypeScript or JSON exports. The file is parsed, never run: literals,
 * constants, relative imports and functions that only return data are read, everything else is marked as computed.
 */
import type {
  AnonymousFunctionDeclaration,
  AnyNode,
  ArrowFunctionExpression,
  CallExpression,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  FunctionDeclaration,
  FunctionExpression,
  ImportDeclaration,
  ObjectExpression,
  Pattern,
  SpreadElement,
} from "acorn";
import { isRecord } from "#kernel";
import { collectScripts, scriptPaths, type ScriptFiles } from "./parse-script.js";

const MAX_DEPTH = 200;
/** Values of one file: spreads of spreads would grow without end. */
const MAX_VALUES = 100_000;

/** A value that only running the file would give. */
export class Computed {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The function whose result it is, with its arguments; null for any other value. */
  readonly call: FunctionCall | null;

  constructor(file: string, line: number, call: FunctionCall | null) {
    this.file = file;
    this.line = line;
    this.call = call;
  }
}
/** A call of a function that is not in the files. */
interface FunctionCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The exports of a file, or why it cannot be read. */
export type ScriptData =
  | { readonly exports: Readonly<Record<string, unknown>> }
  | { readonly issue: string; readonly line: number };

type AnyFunction =
  FunctionDeclaration | AnonymousFunctionDeclaration | FunctionExpression | ArrowFunctionExpression;
/** A function of the file, with the values around it. */
class Closure {
  readonly node: AnyFunction;
  readonly scope: Scope;

  constructor(node: AnyFunction, scope: Scope) {
    this.node = node;
    this.scope = scope;
  }
}

/** Reads the exports of a file below `root`; null for a missing or empty one. A plain `module.exports` is `default`. */
export async function readScript(root: string, path: string): Promise<ScriptData | null> {
  const files: ScriptFiles = new Map();
  await collectScripts(root, path, files);
  const first = files.get(path) ?? null;
  if (first === null || "issue" in first) return first;
  const reader = new ScriptReader(files);
  try {
    return { exports: reader.exportsOf(path) };
  } catch (error) {
    if (error instanceof RangeError) return { issue: "it has too many values", line: 1 };
    throw error;
  }
}

/** The names of a file or of a call, and those around it. */
class Scope {
  readonly file: string;
  readonly #above: Scope | null;
  readonly #names = new Map<string, () => unknown>();
  readonly #values: Map<string, unknown>;

  constructor(file: string, above: Scope | null, values = new Map<string, unknown>()) {
    this.file = file;
    this.#above = above;
    this.#values = values;
  }

  define(name: string, read: () => unknown): void {
    this.#names.set(name, read);
  }

  /** The value of a name; `missing` for an unknown one. A name that needs itself is unknown too. */
  find(name: string, missing: Computed): unknown {
    if (this.#values.has(name)) return this.#values.get(name);
    const read = this.#names.get(name);
    if (read === undefined) return this.#above === null ? missing : this.#above.find(name, missing);
    this.#values.set(name, missing);
    const value = read();
    this.#values.set(name, value);
    return value;
  }
}

class ScriptReader {
  readonly #files: ScriptFiles;
  readonly #exports = new Map<string, Record<string, unknown>>();
  #values = 0;
  #depth = 0;

  constructor(files: ScriptFiles) {
    this.#files = files;
  }

  exportsOf(file: string): Record<string, unknown> {
    const known = this.#exports.get(file);
    if (known !== undefined) return known;
    const exports: Record<string, unknown> = {};
    this.#exports.set(file, exports);
    const program = this.#files.get(file) ?? null;
    if (program === null || "issue" in program) return exports;
    const scope = new Scope(file, null);
    for (const node of program.body) this.#declare(node, scope);
    for (const node of program.body) this.#export(node, scope, exports);
    return exports;
  }

  #declare(node: AnyNode, scope: Scope): void {
    if (node.type === "ExportNamedDeclaration" || node.type === "ExportDefaultDeclaration") {
      if (node.declaration) this.#declare(node.declaration, scope);
    } else if (node.type === "FunctionDeclaration" && node.id !== null) {
      scope.define(node.id.name, () => new Closure(node, scope));
    } else if (node.type === "VariableDeclaration") {
      for (const { id, init } of node.declarations) {
        if (init) this.#declareVariable(id, init, scope);
      }
    } else if (node.type === "ImportDeclaration") {
      for (const one of node.specifiers) {
        scope.define(one.local.name, () => this.#imported(one, node, scope));
      }
    }
  }

  #declareVariable(id: Pattern, init: Expression, scope: Scope): void {
    if (id.type === "Identifier") scope.define(id.name, () => this.#read(init, scope));
    if (id.type !== "ObjectPattern") return;
    for (const part of id.properties) {
      if (part.type !== "Property" || part.value.type !== "Identifier") continue;
      const key = part.key.type === "Identifier" ? part.key.name : "";
      scope.define(part.value.name, () => this.#member(this.#read(init, scope), key, part, scope));
    }
  }

  #imported(
    specifier: ImportDeclaration["specifiers"][number],
    node: ImportDeclaration,
    scope: Scope,
  ): unknown {
    const module = this.#module(String(node.source.value), node, scope);
    if (specifier.type === "ImportNamespaceSpecifier" || module instanceof Computed) return module;
    if (specifier.type === "ImportDefaultSpecifier") return module["default"];
    const { imported } = specifier;
    return module[imported.type === "Identifier" ? imported.name : ""];
  }

  #export(node: AnyNode, scope: Scope, exports: Record<string, unknown>): void {
    if (node.type === "ExportDefaultDeclaration")
      exports["default"] = this.#readDefault(node, scope);
    else if (node.type === "ExportNamedDeclaration") this.#exportNames(node, scope, exports);
    else if (node.type === "ExpressionStatement") this.#assign(node.expression, scope, exports);
    else if (node.type === "VariableDeclaration") {
      for (const { init } of node.declarations) if (init) this.#assign(init, scope, exports);
    }
  }

  #readDefault(node: ExportDefaultDeclaration, scope: Scope): unknown {
    const { declaration } = node;
    if (declaration.type === "ClassDeclaration") return this.#computed(node, scope);
    if (declaration.type === "FunctionDeclaration")
      return this.#call(new Closure(declaration, scope), [], node, scope);
    return this.#called(this.#read(declaration, scope), node, scope);
  }

  #exportNames(node: ExportNamedDeclaration, scope: Scope, exports: Record<string, unknown>): void {
    const { declaration } = node;
    for (const { local, exported } of node.source ? [] : node.specifiers) {
      if (local.type === "Identifier" && exported.type === "Identifier")
        exports[exported.name] = this.#read(local, scope);
    }
    if (declaration?.type === "VariableDeclaration") {
      for (const { id } of declaration.declarations) {
        if (id.type === "Identifier") exports[id.name] = this.#read(id, scope);
      }
    } else if (declaration?.type === "FunctionDeclaration")
      exports[declaration.id.name] = new Closure(declaration, scope);
  }

  /** `module.exports = …`, `exports.name = …`, also several in a row. */
  #assign(node: Expression, scope: Scope, exports: Record<string, unknown>): void {
    if (node.type !== "AssignmentExpression" || node.operator !== "=") return;
    this.#assign(node.right, scope, exports);
    const path = memberPath(node.left);
    const name = /^(?:module\.)?exports\.(\w+)$/.exec(path)?.[1];
    if (path !== "module.exports" && (name === undefined || name === "__proto__")) return;
    const value = this.#read(node.right, scope);
    if (name !== undefined && path !== "module.exports")
      exports[name] = name === "default" ? this.#called(value, node, scope) : value;
    else {
      const main = this.#called(value, node, scope);
      if (isPlain(main)) Object.assign(exports, main);
      exports["default"] = main;
    }
  }

  #module(name: string, node: AnyNode, scope: Scope): Record<string, unknown> | Computed {
    const file = name.startsWith(".")
      ? scriptPaths(scope.file, name).find((path) => this.#files.get(path))
      : undefined;
    return file === undefined ? this.#computed(node, scope) : this.exportsOf(file);
  }

  #computed(node: AnyNode, { file }: Scope, call: Computed["call"] = null): Computed {
    return new Computed(file, node.loc?.start.line ?? 1, call);
  }

  /** The result of a function that a file exports; any other value as it is. */
  #called(value: unknown, node: AnyNode, scope: Scope): unknown {
    return value instanceof Closure ? this.#call(value, [], node, scope) : value;
  }

  #read(node: AnyNode, scope: Scope): unknown {
    this.#count(1);
    if (this.#depth >= MAX_DEPTH) return this.#computed(node, scope);
    this.#depth += 1;
    try {
      return this.#readNode(node, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  #count(values: number): void {
    this.#values += values;
    if (this.#values > MAX_VALUES) throw new RangeError("too many values");
  }

  #readNode(node: AnyNode, scope: Scope): unknown {
    switch (node.type) {
      case "Literal":
        return node.regex ? this.#computed(node, scope) : node.value;
      case "TemplateLiteral":
        return this.#template(node.quasis, node.expressions, node, scope);
      case "ArrayExpression":
        return node.elements.flatMap((item) => (item === null ? [] : this.#item(item, scope)));
      case "ObjectExpression":
        return this.#object(node, scope);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return new Closure(node, scope);
      case "Identifier":
        return node.name === "undefined"
          ? undefined
          : scope.find(node.name, this.#computed(node, scope));
      case "MemberExpression":
        return this.#readMember(node, scope);
      case "CallExpression":
        return this.#readCall(node, scope);
      default:
        return this.#readOperator(node, scope);
    }
  }

  #readOperator(node: AnyNode, scope: Scope): unknown {
    switch (node.type) {
      case "AssignmentExpression":
        return this.#read(node.right, scope);
      case "SequenceExpression":
        return node.expressions.map((one) => this.#read(one, scope)).at(-1);
      case "ChainExpression":
        return this.#read(node.expression, scope);
      case "AwaitExpression":
        return this.#read(node.argument, scope);
      case "UnaryExpression":
        return this.#unary(node.operator, this.#read(node.argument, scope), node, scope);
      case "BinaryExpression": {
        const [left, right] = [node.left, node.right].map((side) => this.#read(side, scope));
        const isText = typeof left === "string" && typeof right === "string";
        return node.operator === "+" && isText ? left + right : this.#computed(node, scope);
      }
      default:
        return this.#computed(node, scope);
    }
  }

  #unary(operator: string, value: unknown, node: AnyNode, scope: Scope): unknown {
    if (operator === "void") return undefined;
    if (operator === "-" && typeof value === "number") return -value;
    if (operator === "!" && typeof value !== "object") return !value;
    return this.#computed(node, scope);
  }

  #template(
    quasis: readonly { readonly value: { readonly cooked?: string | null } }[],
    expressions: readonly Expression[],
    node: AnyNode,
    scope: Scope,
  ): unknown {
    let text = "";
    for (const [at, { value }] of quasis.entries()) {
      text += value.cooked ?? "";
      const expression = expressions[at];
      if (expression === undefined) continue;
      const part = this.#read(expression, scope);
      if (typeof part !== "string" && typeof part !== "number") return this.#computed(node, scope);
      text += String(part);
    }
    return text;
  }

  #item(item: Expression | SpreadElement, scope: Scope): unknown[] {
    if (item.type !== "SpreadElement") return [this.#read(item, scope)];
    const value = this.#read(item.argument, scope);
    if (!Array.isArray(value)) return [this.#computed(item, scope)];
    this.#count(value.length);
    return value;
  }

  #object(node: ObjectExpression, scope: Scope): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const value = this.#read(property.argument, scope);
        const spread = isPlain(value) ? Object.entries(value) : [];
        this.#count(spread.length);
        entries.push(...spread);
        if (value instanceof Computed) entries.push([`...${property.start}`, value]);
        continue;
      }
      const { key, value } = property;
      const name =
        key.type === "Identifier" && !property.computed ? key.name : this.#read(key, scope);
      if (typeof name !== "string" && typeof name !== "number") continue;
      entries.push([String(name), this.#read(value, scope)]);
    }
    return Object.fromEntries(entries);
  }

  #readMember(node: Extract<AnyNode, { type: "MemberExpression" }>, scope: Scope): unknown {
    if (node.object.type === "Super" || node.property.type === "PrivateIdentifier")
      return this.#computed(node, scope);
    const key =
      node.property.type === "Identifier" && !node.computed
        ? node.property.name
        : this.#read(node.property, scope);
    return this.#member(this.#read(node.object, scope), key, node, scope);
  }

  #member(value: unknown, key: unknown, node: AnyNode, scope: Scope): unknown {
    if (typeof key !== "string" && typeof key !== "number") return this.#computed(node, scope);
    if (Array.isArray(value) && typeof key === "number") return value[key];
    if (isPlain(value) && Object.hasOwn(value, key)) return value[key];
    return this.#computed(node, scope);
  }

  #readCall(node: CallExpression, scope: Scope): unknown {
    const args = node.arguments.flatMap((item) => this.#item(item, scope));
    const name = calleeName(node.callee);
    const [first] = args;
    if (name === "require" && typeof first === "string") return this.#require(first, node, scope);
    // The helper of transpiled modules.
    if (name === "_interopRequireDefault" || name === "_interopRequireWildcard")
      return isPlain(first) && "default" in first ? first : { default: first };
    const callee = node.callee.type === "Super" ? null : this.#read(node.callee, scope);
    if (callee instanceof Closure) return this.#call(callee, args, node, scope);
    // `defineConfig({…})` and `withMermaid({…})` return what they get.
    const config = /^(?:define|with)[A-Z]/.test(name) ? this.#called(first, node, scope) : null;
    return isPlain(config) || Array.isArray(config)
      ? config
      : this.#computed(node, scope, { name, args });
  }

  #require(name: string, node: AnyNode, scope: Scope): unknown {
    const module = this.#module(name, node, scope);
    return module instanceof Computed || !("default" in module) || isEsModule(module)
      ? module
      : module["default"];
  }

  /** What a function returns that has nothing but constants and one `return`. */
  #call(
    { node, scope: around }: Closure,
    args: readonly unknown[],
    at: AnyNode,
    scope: Scope,
  ): unknown {
    const values = new Map<string, unknown>();
    for (const [index, parameter] of node.params.entries()) {
      if (parameter.type !== "Identifier") return this.#computed(at, scope);
      values.set(parameter.name, args[index]);
    }
    const inner = new Scope(around.file, around, values);
    if (node.body.type !== "BlockStatement") return this.#read(node.body, inner);
    const [last, ...others] = node.body.body.toReversed();
    const isPlainBody = others.every(
      ({ type }) => type === "VariableDeclaration" || type === "FunctionDeclaration",
    );
    if (last?.type !== "ReturnStatement" || !last.argument || !isPlainBody)
      return this.#computed(at, scope);
    for (const statement of others) this.#declare(statement, inner);
    return this.#read(last.argument, inner);
  }
}

/** `module.exports.a`; empty for any other expression. */
function memberPath(node: AnyNode): string {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return "";
  const above = memberPath(node.object);
  return above === "" ? "" : `${above}.${node.property.name}`;
}

function calleeName(node: AnyNode): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression" && node.property.type === "Identifier") {
    // The default export of a transpiled import: `(0, _starlight.default)(…)`.
    const { object, property } = node;
    return property.name === "default" && object.type === "Identifier"
      ? object.name.replace(/^_/, "")
      : property.name;
  }
  if (node.type === "SequenceExpression") return calleeName(node.expressions.at(-1) ?? node);
  return "";
}

/** True for an object of data. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof Computed) && !(value instanceof Closure);
}

/** True when a module has other exports than a plain `module.exports`. */
function isEsModule(module: Readonly<Record<string, unknown>>): boolean {
  const { default: main, ...others } = module;
  return !(isPlain(main) && Object.keys(others).every((name) => Object.hasOwn(main, name)));
}
