/** A request to a site in memory, for checks before it serves. */
import { SiteError } from "#lib/errors";
import { MemoryConnection } from "#lib/http";
import type { Http } from "../../contracts.js";

/** The address that such requests come from. */
const LOCAL = "127.0.0.1";
const MAX_EXCERPT = 300;

/**
 * Requests an address (path and query) of a site that need not listen. Answers that only this visitor does
 * not get (401, 403, 429) and redirects are fine.
 * @throws ERR_SITE_CHECK for 404 and 5xx, with the error behind it as its cause.
 */
export async function assertServed(
  http: Pick<Http, "accept">,
  target: string,
  accept = "text/html",
): Promise<void> {
  const headers = { accept };
  const connection = new MemoryConnection(LOCAL);
  const { status, body } = await connection.send(http, { target, headers });
  if (status < 500 && status !== 404 && status !== 400) return;
  const { failure: cause } = connection;
  const isJson = accept === "application/json";
  const answer = isJson ? `: ${body.subarray(0, MAX_EXCERPT).toString("utf8")}` : "";
  const reason = cause instanceof Error ? `: ${cause.message.slice(0, MAX_EXCERPT)}` : answer;
  throw new SiteError("ERR_SITE_CHECK", `GET ${target} responds with ${status}${reason}`, {
    fix: "see the log for the cause; the running site goes on",
    cause,
  });
}
