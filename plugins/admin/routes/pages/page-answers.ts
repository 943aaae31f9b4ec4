import type { Request, Response } from "express";
import type { ContentChangeResult } from "../../../content/contract.js";
import { contentPath, editedPage, pageSource, type PageSource } from "../../write/page-source.js";
import type { PageEdit } from "../../write/save-page.js";
import { notFound, type RouteParts } from "../route-parts.js";

interface Exchange {
  readonly req: Request;
  readonly res: Response;
}
interface SourceAnswer {
  /** Null for a written file that is not in the index. */
  readonly source: PageSource | null;
  readonly sourcePath: string;
  readonly status: number;
}

/**
 * Responds with a page's source.
 * @throws HttpError 404.
 */
export async function sendSource(
  parts: RouteParts,
  exchange: Exchange,
  given: string,
): Promise<void> {
  const sourcePath = contentPath(given);
  const source = await pageSource(parts.site.use("content"), sourcePath);
  if (source === null) throw notFound();
  await answerSource(parts, exchange, { source, sourcePath, status: 200 });
}

/**
 * Responds with the current page.
 * @throws HttpError 404 unless it was just created (`status` 201).
 */
export async function answerPage(
  parts: RouteParts,
  exchange: Exchange,
  { sourcePath, status }: { sourcePath: string; status: number },
): Promise<void> {
  const source = await editedPage(parts.site.use("content"), sourcePath);
  // A file that is not in the index (part of a module, another language) was still written.
  if (source === null && status === 200) throw notFound();
  await answerSource(parts, exchange, { source, sourcePath, status });
}

async function answerSource(
  { site }: RouteParts,
  { req, res }: Exchange,
  { source, sourcePath, status }: SourceAnswer,
): Promise<void> {
  const headers: Record<string, string> = source === null ? {} : { ETag: `"${source.hash}"` };
  // Such as another page that has its address.
  const problems = site
    .use("content")
    .generation()
    .problems.filter((problem) => problem.sourcePath === sourcePath)
    .map(({ message }) => message);
  const answer = { ...(source ?? { sourcePath }), ...(problems.length > 0 && { problems }) };
  await site.http.json(req, res, answer, { status, headers });
}

/**
 * Responds that the page has changed since it was read, with the current and the submitted version.
 */
export async function answerConflict(
  { site }: RouteParts,
  { req, res }: Exchange,
  { result, sourcePath, edit }: { result: ContentChangeResult; sourcePath: string; edit: PageEdit },
): Promise<void> {
  const current = await editedPage(site.use("content"), sourcePath);
  const error = result.errors[0] ?? "the page has changed since it was read";
  await site.http.json(req, res, { error, current, yours: edit }, { status: 409 });
}
