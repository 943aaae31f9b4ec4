import { parentPort, type MessagePort } from "node:worker_threads";
import { loadSyntax, needsModules } from "../../syntax/switches.js";
import type { CodeHighlighter } from "../highlight-code.js";
import { parseHtmlBody, parseMarkdownBody, renderWhole, type ParsedBody } from "../pipeline.js";
import {
  isWhole,
  type BodyJob,
  type Facts,
  type FromThread,
  type RenderJob,
  type ToThread,
} from "../render-job.js";
import { ownThreadNumber } from "./thread-time.js";

/** Renders one job at a time: parses, requests the facts of its references, finishes. */
function serve(port: MessagePort): void {
  let body: ParsedBody | null = null;
  let highlighter: CodeHighlighter | null = null;
  const send = (message: FromThread): void => port.postMessage(message);

  port.on("message", (message: ToThread) => {
    const work = message.type === "job" ? start(message.job) : finish(message.facts);
    work.catch((error: unknown) => {
      body = null;
      send({ type: "failed", message: String(error) });
    });
  });
  send({ type: "ready", thread: ownThreadNumber() });

  async function start(job: RenderJob): Promise<void> {
    if (isWhole(job)) return send({ type: "done", rendered: renderWhole(job) });
    body = job.kind === "html" ? parseHtmlBody(job.source, job.options) : await parsed(job);
    await loadLanguages(body.languages);
    if (body.references.length === 0) await finish(new Map());
    else send({ type: "references", references: body.references });
  }

  async function parsed({ source, options }: BodyJob): Promise<ParsedBody> {
    if (!needsModules(options.syntax)) return parseMarkdownBody(source, options);
    const modules = await loadSyntax(options.syntax);
    return parseMarkdownBody(source, options, modules);
  }

  async function loadLanguages(languages: readonly string[] | null): Promise<void> {
    if (languages === null) return;
    send({ type: "highlighting" });
    const { CodeHighlighter } = await import("../highlight-code.js");
    highlighter ??= await CodeHighlighter.create();
    await highlighter.load(languages);
  }

  async function finish(facts: Facts): Promise<void> {
    if (body === null) throw new Error("facts came without a job");
    const highlight = body.languages === null ? undefined : highlighter?.highlight;
    const rendered = body.finish(facts, highlight);
    body = null;
    send({ type: "done", rendered });
  }
}

if (parentPort !== null) serve(parentPort);
