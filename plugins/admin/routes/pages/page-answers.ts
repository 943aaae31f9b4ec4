import type { Request, Response } from "express";
import type { ContentChangeResult } from "../../../content/contract.js";
import { contentPath, pageSource } from "../../write/page-source.js";
import type { PageEdit } from "../../write/save-page.js";
import { notFound, type RouteParts } from "../route-parts.js";

/**
 * Responds with a page's source.
 * @throws HttpError 404.
 */
export async function sendSource(
  parts: RouteParts,
  { req, res }: { req: Request; res: Response },
  given: string,
): Promise<void> {
  await answerPage(parts, { req, res }, { sourcePath: contentPath(given), status: 200 });
}

/**
 * Responds with the current page.
 * @throws HttpError 404 unless it was just created (`status` 201).
 */
export async function answerPage(
  { site }: RouteParts,
  { req, res }: { req: Request; res: Response },
  { sourcePath, status }: { sourcePath: string; status: number },
): Promise<void> {
  const source = await pageSource(site.use("content"), sourcePath);
  // A file that is not in the index (part of a module, another language) was still written.
  if (source === null && status === 200) throw notFound();
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
  { req, res }: { req: Request; res: Response },
  { result, sourcePath, edit }: { result: ContentChangeResult; sourcePath: string; edit: PageEdit },
): Promise<void> {
  const current = await pageSource(site.use("content"), sourcePath);
  const error = result.errors[0] ?? "the page has changed since it was read";
  await site.http.json(req, res, { error, current, yours: edit }, { status: 409 });
}
