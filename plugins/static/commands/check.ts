import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { resolve } from "node:path";
import type { CommandInput } from "#kernel";
import { placeOf } from "../plan/addresses.js";
import { compareExport } from "../commit/compare.js";
import { staticError } from "../errors.js";
import { readManifest } from "../commit/manifest.js";
import { searchHeads } from "../plan/search-files.js";

/** Timeout of a server response, in ms. */
const PATIENCE_MS = 30_000;

/**
 * `build --static --check [address]`: requests every file of the export and every link target from
 * the running server, and prints the differences. Exits with 1 if there are any.
 */
export async function checkExport(
  { site, out, options }: CommandInput,
  { folder, baseUrl }: { folder: string; baseUrl: string | null },
): Promise<number> {
  const booted = await site({
    purpose: "export",
    ...(baseUrl !== null && { overrides: { site: { url: baseUrl } } }),
  });
  const manifest = await readManifest(folder);
  if (manifest === null || manifest === "damaged") {
    throw staticError("ERR_STATIC_OPTION", `${JSON.stringify(folder)} holds no export to check`, {
      fix: "export first: site build --static",
    });
  }
  const { url } = booted.settings.site;
  const server = options["check"] === true ? url : String(options["check"]);
  const place = placeOf(url);
  const differences = await compareExport({
    out: resolve(folder),
    manifest,
    place,
    get,
    server: server.replace(/(?<!\/)\/+$/, ""),
    searchHeads: searchHeads(booted, place),
  });
  if (options["json"] === true) out.json({ differences });
  else for (const one of differences) out.line(`${one.url}: ${one.difference}`);
  if (differences.length === 0 && options["json"] !== true) {
    out.line(`${out.colour.green("✓")} the export is what ${server} serves`);
  }
  return differences.length === 0 ? 0 : 1;
}

function get(address: string): Promise<{ status: number; type: string; body: Buffer }> {
  const ask = address.startsWith("https:") ? secureRequest : request;
  return new Promise((done, reject) => {
    const asking = ask(address, { timeout: PATIENCE_MS }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("error", reject);
      answer.once("end", () => {
        const type = answer.headers["content-type"] ?? "";
        done({ status: answer.statusCode ?? 0, type, body: Buffer.concat(parts) });
      });
    });
    asking.once("timeout", () => asking.destroy(new Error(`${address} does not answer`)));
    asking.once("error", reject);
    asking.end();
  });
}
