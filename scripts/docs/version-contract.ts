import { dirname, join } from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { z } from "zod";
import { type ConfigFile, PLUGIN_API_VERSION } from "#kernel";
import { readPackage } from "#lib/packages";
import { migrations } from "../../plugins/upgrade/apply/migrations.js";
import {
  CONTRACT_FORMAT,
  type VersionContract,
} from "../../plugins/upgrade/plan/version-contract.js";
import { commandList } from "./commands.js";
import { ownersOf } from "./configuration.js";
import { textOf, type ContractMember, Contracts } from "./contracts.js";
import type { DocsSite } from "./docs-site.js";
import { hookType } from "./hooks.js";
import { schemaRows } from "./schema-rows.js";

/** The contract of this version, from the declarations that the documentation is generated from. */
export function versionContract(root: string, open: DocsSite): VersionContract {
  const { version, engines } = readPackage();
  const contracts = new Contracts(root);
  return {
    format: CONTRACT_FORMAT,
    version,
    node: engines.node,
    pluginApi: PLUGIN_API_VERSION,
    plugins: open.plugins.map(({ name }) => name),
    hooks: hooksOf(contracts),
    services: namedTypes(contracts, "Services"),
    slots: namedTypes(contracts, "Engines"),
    routes: routesOf(open),
    settings: {
      site: settingsOf(open, "site"),
      system: settingsOf(open, "system"),
      admin: settingsOf(open, "admin"),
    },
    commands: commandsOf(open),
    templates: templatesOf(root),
    exports: packageExports(root),
    migrations: migrations.map(({ version: to, summary, keys }) => ({
      version: to,
      summary,
      keys: [...keys],
    })),
  };
}

function hooksOf(contracts: Contracts): VersionContract["hooks"] {
  const members = contracts.members("HookMap");
  return sorted(
    members.map((member) => [member.name, { owner: member.owner, ...hookType(member) }]),
  );
}

function namedTypes(contracts: Contracts, map: "Services" | "Engines"): VersionContract["slots"] {
  return sorted(
    contracts.members(map).map((member) => [
      member.name,
      {
        owner: member.owner,
        type: member.type === undefined ? "" : textOf(member.type),
        members: memberNames(contracts, member),
      },
    ]),
  );
}

function memberNames(contracts: Contracts, member: ContractMember): string[] {
  const names = (contracts.typeOf(member)?.members ?? []).map(({ name }) => name);
  return [...new Set(names)].filter((name) => name !== "").toSorted();
}

function routesOf({ site }: DocsSite): VersionContract["routes"] {
  return site.http.routes
    .map(({ method, path, plugin, query }) => ({
      method,
      path,
      owner: plugin,
      parameters: query === undefined ? [] : parametersOf(query),
    }))
    .toSorted((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
}

function parametersOf(query: z.ZodType): string[] {
  const json = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  return Object.keys(json.properties ?? {}).toSorted();
}

function settingsOf(open: DocsSite, file: ConfigFile): VersionContract["settings"]["site"] {
  const owners = ownersOf(open.plugins, file);
  return schemaRows(open.site.configFiles.schema(file)).map(({ key, type, default: fallback }) => ({
    key,
    type,
    default: fallback,
    owner: owners.get(key) ?? "kernel",
  }));
}

function commandsOf(open: DocsSite): VersionContract["commands"] {
  return sorted(
    commandList(open).map(({ usage, owner, options }) => [
      usage.split(" ")[0] ?? usage,
      { owner, options: options.map(([flags]) => flags) },
    ]),
  );
}

function templatesOf(root: string): string[] {
  const files = globSync("**/*.tsx", { cwd: `${root}/themes/default/templates` });
  return files.map((file) => file.replace(/\.tsx$/, "")).toSorted();
}

/** The names that each module of the package exports, by the address from which it is imported. */
function packageExports(root: string): VersionContract["exports"] {
  const { exports } = packageModules.parse(
    JSON.parse(ts.sys.readFile(`${root}/package.json`) ?? ""),
  );
  return sorted(
    Object.entries(exports).flatMap(([address, target]) =>
      typeof target === "string"
        ? []
        : [[address.replace(/^\./, "sitewright"), exportsOf(join(root, target.source))]],
    ),
  );
}

const packageModules = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.object({ source: z.string() })])),
});

/** The names that a module exports, types included. */
function exportsOf(file: string): string[] {
  const text = ts.sys.readFile(file) ?? "";
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const names = statements.flatMap((statement): string[] => {
    if (!ts.isExportDeclaration(statement)) return declaredNames(statement);
    const { exportClause, moduleSpecifier } = statement;
    if (exportClause !== undefined && ts.isNamedExports(exportClause))
      return exportClause.elements.map(({ name }) => name.text);
    if (exportClause !== undefined) return [exportClause.name.text];
    return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
      ? exportsOf(join(dirname(file), moduleSpecifier.text.replace(/\.js$/, ".ts")))
      : [];
  });
  return [...new Set(names)].toSorted();
}

/** The names that a statement declares and exports. */
function declaredNames(statement: ts.Statement): string[] {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) return [];
  if (ts.isVariableStatement(statement)) {
    const { declarations } = statement.declarationList;
    return declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []));
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
