import { parentPort, type MessagePort } from "node:worker_threads";
import { highlightCode } from "./highlight-code.js";
import { cleanHtml, draftHtml, draftMarkdown, type Draft } from "./pipeline.js";
import type { FromThread, RenderJob, ToThread } from "./render-messages.js";

/** Renders one job at a time: parses, requests the facts of its references, finishes. */
function serve(port: MessagePort): void {
  let draft: Draft | null = null;
  const send = (message: FromThread): void => port.postMessage(message);

  port.on("message", (message: ToThread) => {
    try {
      if (message.type === "job") start(message.job);
      else finish(message.facts);
    } catch (error) {
      draft = null;
      send({ type: "failed", message: String(error) });
    }
  });
  send({ type: "ready" });

  function start(job: RenderJob): void {
    if (job.kind === "clean") {
      send({ type: "done", rendered: cleanHtml(job.source, job.headings) });
      return;
    }
    const parse = job.kind === "html" ? draftHtml : draftMarkdown;
    draft = parse(job.source, job.options);
    if (draft.references.length === 0) finish(new Map());
    else send({ type: "references", references: draft.references });
  }

  function finish(facts: Extract<ToThread, { type: "facts" }>["facts"]): void {
    if (draft === null) throw new Error("facts came without a job");
    const rendered = draft.finish(facts, draft.hasCode ? highlightCode : undefined);
    draft = null;
    send({ type: "done", rendered });
  }
}

if (parentPort !== null) serve(parentPort);
