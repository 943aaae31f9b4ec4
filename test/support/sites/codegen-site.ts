import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { codegen } from "../../../plugins/codegen/command.js";
import { bootSite, type TestSite } from "./boot-site.js";
import { commandOutput } from "../processes/command-output.js";
import { repository } from "../repository.js";

/** The compiler in native code takes a fifth of the CPU time. */
const TSC = join(repository, "node_modules/typescript-native/bin/tsc");

/** The output and result of `site codegen …`. */
export interface CodegenRun {
  code: number;
  lines: readonly string[];
  json: readonly unknown[];
}

/** Runs `site codegen` on a running site. */
export async function runCodegen(
  { site, root }: TestSite,
  args: readonly string[],
  options: Record<string, unknown> = {},
): Promise<CodegenRun> {
  const { out, ...printed } = commandOutput();
  const context = async () => site.context("codegen");
  const code = await codegen.run({ args, options, site: context, out, root });
  return { code: code ?? 0, ...printed };
}

/** A site whose `node_modules` hold this repository as `sitewright`, and its packages. */
export async function bootCodegenSite(files: Readonly<Record<string, string>>): Promise<TestSite> {
  const booted = await bootSite({ files });
  const packages = join(booted.root, "node_modules");
  await mkdir(packages);
  await symlink(repository, join(packages, "sitewright"));
  for (const name of ["zod", "preact", "@types", "tsx"]) {
    await symlink(join(repository, "node_modules", name), join(packages, name));
  }
  await writeFile(join(booted.root, "package.json"), '{ "type": "module" }');
  return booted;
}

/** Errors of the TypeScript compiler for these files of a folder, with `strict` and more; empty: none. */
export async function compileErrors(root: string, include: readonly string[]): Promise<string> {
  const config = {
    compilerOptions: {
      target: "es2023",
      lib: ["es2024", "dom", "dom.iterable"],
      module: "nodenext",
      moduleResolution: "nodenext",
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      types: ["node", "mocha"],
      jsx: "react-jsx",
      jsxImportSource: "preact",
      customConditions: ["source"],
      allowImportingTsExtensions: true,
    },
    include,
  };
  await writeFile(join(root, "tsconfig.json"), JSON.stringify(config));
  return runNode([TSC, "-p", root], repository);
}

async function runNode(args: readonly string[], cwd: string): Promise<string> {
  try {
    await promisify(execFile)(process.execPath, args, { cwd });
    return "";
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout) || String(error);
    throw error;
  }
}
