import { readFile } from "node:fs/promises";
import { safeJoin, type CommandInput } from "#kernel";
import { runningFile } from "#kernel/internal";
import type {} from "../openapi/contract.js";
import { clientText } from "./client-text.js";
import { codegenFailure } from "./errors.js";
import type { GeneratedFiles } from "./write-files.js";

/** Default file of a client, below the site's root. */
export const CLIENT_FILE = "client/site-client.ts";

/** The client of this site's API, written to the path given with `--out`. */
export async function clientFiles({
  site,
  root,
  options,
}: Pick<CommandInput, "site" | "root" | "options">): Promise<GeneratedFiles> {
  const path = typeof options["out"] === "string" ? options["out"] : CLIENT_FILE;
  if (safeJoin(root, path) === null || !path.endsWith(".ts")) {
    throw codegenFailure("ERR_CODEGEN_CLIENT", `--out is ${JSON.stringify(path)}`, {
      fix: `pass a .ts file below the site's folder, such as ${CLIENT_FILE}`,
    });
  }
  const openapi = (await site()).use("openapi", { optional: true });
  if (openapi === undefined) {
    throw codegenFailure("ERR_CODEGEN_CLIENT", "the plugin openapi is not selected", {
      fix: "select it: a client is generated from its document",
    });
  }
  const runtime = runningFile("plugins/codegen/scaffold/api-client.ts");
  const document = openapi.document(options["admin"] === true ? "admin" : "public");
  return new Map([[path, clientText(document, await readFile(runtime, "utf8"))]]);
}
