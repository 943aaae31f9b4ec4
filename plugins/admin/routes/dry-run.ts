import type { Request, Response } from "express";
import { z } from "zod";
import type { ContentChangeResult } from "../../content/contract.js";
import type { RouteParts } from "./route-parts.js";

/** Query of a route that can be tried out. */
export const dryRunQuery = z
  .object({
    dry_run: z
      .enum(["true", "false"])
      .default("false")
      .describe("true: checks everything, writes nothing, and responds with the texts"),
  })
  .transform(({ dry_run }) => ({ dryRun: dry_run === "true" }));

const text = z.string().nullable();

/** Response of a dry run. */
export const dryRunAnswer = z
  .object({
    dryRun: z.literal(true),
    changes: z.array(z.object({ path: z.string(), before: text, after: text })),
  })
  .meta({ id: "DryRun", description: "What a request would change; null: no file, or no text" });

/** A file before and after a change; null: it is missing, or not text. */
export interface TextChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** The texts of a dry run of the write path. */
export function textChanges(results: readonly ContentChangeResult[]): TextChange[] {
  return results.map(({ path, texts }) => ({
    path,
    before: texts?.before ?? null,
    after: texts?.after ?? null,
  }));
}

/** Responds with what a request would change; `hash` identifies the version that was read. */
export async function sendDryRun(
  { site }: Pick<RouteParts, "site">,
  { req, res }: { req: Request; res: Response },
  { changes, hash }: { changes: readonly TextChange[]; hash?: string | undefined },
): Promise<void> {
  const headers: Record<string, string> = hash === undefined ? {} : { ETag: `"${hash}"` };
  await site.http.json(req, res, { dryRun: true, changes }, { status: 200, headers });
}
