import type { Page } from "../../content/contract.js";
import type { MarkdownProblem, Rendered } from "../contract.js";

/** Position of an error in a body, counted from 1. */
export interface BodyPosition {
  line: number;
  column: number;
}

/** A problem of an MDX or TSX page. `at` is relative to the body, the problem to the file. */
export function componentProblem(
  page: Page,
  message: string,
  at: BodyPosition | null,
): MarkdownProblem {
  const problem = { sourcePath: page.entry.sourcePath, code: "ERR_MARKDOWN_COMPONENT", message };
  if (at === null) return problem;
  return { ...problem, line: at.line + linesBefore(page), column: at.column };
}

/** The HTML shown instead of a page with such a problem. */
export function problemPage(problem: MarkdownProblem, options: { details: boolean }): Rendered {
  const position = [problem.sourcePath, problem.line, problem.column]
    .filter((part) => part !== undefined)
    .join(":");
  const details = options.details ? `<pre>${escaped(`${position}\n${problem.message}`)}</pre>` : "";
  const html = `<div class="content-error" role="alert"><p>This page has an error and cannot be shown.</p>${details}</div>`;
  return { html, headings: [] };
}

/** The error's message, without local paths. */
export function messageOf(error: unknown, root: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(`${root}/`, "").replaceAll(root, "");
}

function linesBefore({ raw, body }: Page): number {
  const before = raw.endsWith(body) ? raw.slice(0, raw.length - body.length) : "";
  return before.split("\n").length - 1;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
