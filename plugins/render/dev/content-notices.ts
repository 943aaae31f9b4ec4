/** Dev mode: pages and the 404 page list invalid content files and how to fix them. */
import { escapeHtml, type Answer } from "#kernel";
import type { RouteHandler } from "#kernel/internal";
import type { ContentProblem, ContentService, PageEntry } from "../../content/contract.js";
import type { PageRequest } from "../contract.js";

/** Maximum number of problems per notice. */
const MAX_SHOWN = 5;
const BODY = /<body\b[^>]*>/i;
const STYLE = `.content-problem{position:sticky;top:0;z-index:2147483647;margin:0;padding:.75rem 1.25rem;font:.9375rem/1.5 system-ui,sans-serif;color:#fff;background:#9f1239;text-align:start}
.content-problem p,.content-problem ul{margin:.15rem 0}.content-problem code{font:inherit;font-weight:700;overflow-wrap:anywhere}`;

/** Adds the notices to responses. */
export class ContentNotices {
  readonly #content: ContentService;

  constructor(content: ContentService) {
    this.#content = content;
  }

  /** Returns the page unchanged, or its last valid version with the problems of its file. */
  onPage(req: PageRequest, entry: PageEntry, answer: Answer): Answer {
    const problems = this.#content
      .problems()
      .filter(
        ({ sourcePath, severity }) => severity === "error" && sourcePath === entry.sourcePath,
      );
    return this.#add(req, answer, problems, "This is the last good version of the page.");
  }

  /** The 404 page with the skipped files, or those whose fields hide the page at this address. */
  onMissing(req: Parameters<RouteHandler>[0], answer: Answer): Answer {
    const [path] = req.originalUrl.split("?");
    const { bySource } = this.#content.generation();
    const problems = this.#content.problems().filter(({ sourcePath, severity, isInRoot }) => {
      // Files beside the content make no pages.
      if (isInRoot) return false;
      const entry = bySource.get(sourcePath);
      return entry === undefined ? severity === "error" : entry.url === path;
    });
    return this.#add(req, answer, problems, "These files may be why the page is missing.");
  }

  #add(
    req: PageRequest,
    answer: Answer,
    problems: readonly ContentProblem[],
    lead: string,
  ): Answer {
    if (problems.length === 0 || !answer.type.startsWith("text/html")) return answer;
    const items = problems.slice(0, MAX_SHOWN).map((problem) => this.#item(problem));
    const more = problems.length - items.length;
    const notice = [
      `<style nonce="${escapeHtml(req.ctx.nonce())}">${STYLE}</style>`,
      `<aside class="content-problem" role="alert" data-content-problem><p>${lead}</p>`,
      `<ul>${items.join("")}</ul>${more > 0 ? `<p>${more} more: run site content:check</p>` : ""}</aside>`,
    ].join("");
    const html = answer.body.toString();
    const start = BODY.exec(html);
    const at = start === null ? html.length : start.index + start[0].length;
    return { ...answer, body: html.slice(0, at) + notice + html.slice(at) };
  }

  #item({ sourcePath, line, key, message, fix, isInRoot }: ContentProblem): string {
    const file = isInRoot ? sourcePath : this.#content.addresses.fromRoot(sourcePath);
    const place = line === undefined ? file : `${file}:${line}`;
    const field = key === undefined ? "" : ` (${escapeHtml(key)})`;
    const remedy = fix === undefined ? "" : `<br>Fix: ${escapeHtml(fix)}`;
    return `<li><code>${escapeHtml(place)}</code>${field}: ${escapeHtml(message)}${remedy}</li>`;
  }
}
