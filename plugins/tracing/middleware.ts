import { withoutSecrets } from "#lib/secrets";
import type { Request, Response } from "express";
import {
  constantTimeEqual,
  type EdgeStep,
  type SiteContext,
  type Answer,
  type Workers,
} from "#kernel";
import { sentStatus } from "#lib/http";
import type { RequestMetrics } from "./engines/prometheus.js";
import type { OtelTraces } from "./engines/otel.js";
import { parseTraceparent } from "./traceparent.js";

/** Starts the trace of each request and ends it with the response. */
export function traceStep(traces: OtelTraces): EdgeStep {
  return (req, res) => {
    const { traceparent, tracestate } = req.headers;
    const state = Array.isArray(tracestate) ? tracestate.join(",") : tracestate;
    const span = traces.request(parseTraceparent(traceparent), state);
    req.ctx.traceId = span.traceId;
    res.once("close", () => {
      const { route } = req.ctx;
      const isWhole = res.writableFinished;
      const status = sentStatus(res);
      const method = toMethodLabel(req);
      span.end({
        name: `${method} ${route}`,
        facts: {
          "http.request.method": method,
          "http.route": route,
          ...(status !== null && { "http.response.status_code": status }),
          "url.path": withoutSecrets(req.ctx.path).slice(0, 256),
          "site.request_id": req.ctx.id,
          ...(!isWhole && { "error.type": "aborted" }),
        },
        failed: !isWhole || (status ?? 0) >= 500,
      });
    });
  };
}

/** Counts each request by route, method and status, and records its duration. */
export function measureStep(metrics: RequestMetrics): EdgeStep {
  function measure(this: Response): void {
    const { ctx } = this.req;
    const seconds = (performance.now() - ctx.startedAt) / 1_000;
    metrics.observe({
      method: toMethodLabel(this.req),
      route: ctx.route,
      status: String(sentStatus(this) ?? "none"),
      seconds,
    });
  }
  return (_req, res) => void res.once("close", measure);
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** One of a few methods: clients can invent their own. */
function toMethodLabel({ method }: Request): string {
  return METHODS.has(method) ? method : "OTHER";
}

/** Dependencies of `/metrics`. */
export interface MetricsStepOptions {
  token: string | undefined;
  read(): Promise<MetricsText>;
}

/** Serves `/metrics` in the edge, so that it works while the site starts and drains. */
export function metricsStep(site: SiteContext, { token, read }: MetricsStepOptions): EdgeStep {
  return (req, res) => {
    if (req.ctx.path !== "/metrics") return false;
    req.ctx.route = "/metrics";
    const refusal = refuse(req, token);
    if (refusal !== null) {
      site.http.send(req, res, refusal);
      return true;
    }
    return read().then(({ type, body }) => {
      const answer: Answer = { type, body, headers: NO_STORE, skipsFilters: true };
      site.http.send(req, res, answer);
      return true;
    });
  };
}

const NO_STORE = { "Cache-Control": "no-store" };

function refuse(req: Request, token: string | undefined): Answer | null {
  if (req.method !== "GET" && req.method !== "HEAD") {
    return error(405, "allowed methods: GET, HEAD", { Allow: "GET, HEAD" });
  }
  if (token === undefined) return isFromHere(req) ? null : error(404, "Not found");
  const [, presented = ""] = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? "") ?? [];
  const isRight = presented !== "" && constantTimeEqual(presented, token);
  return isRight ? null : error(401, "a token is required", { "WWW-Authenticate": "Bearer" });
}

function error(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    type: "application/json; charset=utf-8",
    headers: { ...NO_STORE, ...headers },
    body: JSON.stringify({ error: text }),
    skipsFilters: true,
  };
}

const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/**
 * A direct connection from this machine, not through a proxy: checks the address, the headers that a
 * proxy adds, and the requested host.
 */
function isFromHere({ socket, headers }: Request): boolean {
  if (!LOOPBACK.test(socket.remoteAddress ?? "")) return false;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return LOCAL_HOST.test(headers.host ?? "");
}

/** The call by which workers read the metrics of each other. */
const NAME = "metrics.read";
const SAMPLE = /^([A-Za-z_:][\w:]*)(\{)?/;

/** The text of the metrics, and its media type. */
interface MetricsText {
  type: string;
  body: string;
}

interface WorkerMetrics {
  readonly worker: number;
  /** In the text format of Prometheus. */
  readonly body: string;
}

/** Reads the metrics of this worker and of the others; without workers, those of this process. */
export function readerOf(
  workers: Workers,
  read: () => Promise<MetricsText>,
): () => Promise<MetricsText> {
  if (workers.id === 0) return read;
  workers.handle(NAME, async () => (await read()).body);
  return async () => {
    const [local, others] = await Promise.all([read(), workers.askOthers(NAME)]);
    const all = [{ worker: workers.id, value: local.body }, ...others];
    const texts = all.map(({ worker, value }) => ({ worker, body: String(value) }));
    return { type: local.type, body: merge(texts.toSorted((a, b) => a.worker - b.worker)) };
  };
}

/**
 * The metrics of all workers as one text, in which each sample names its worker. All samples of a metric
 * follow its help and type, as the text format demands.
 */
function merge(texts: readonly WorkerMetrics[]): string {
  const metrics = new Map<string, { comments: Set<string>; samples: string[] }>();
  for (const { worker, body } of texts) {
    let current = { comments: new Set<string>(), samples: [] as string[] };
    for (const line of body.split("\n").filter((one) => one !== "")) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name === undefined) {
        current.samples.push(labelled(line, worker));
        continue;
      }
      current = metrics.get(name) ?? { comments: new Set(), samples: [] };
      metrics.set(name, current);
      current.comments.add(line);
    }
  }
  const blocks = [...metrics.values()].map(({ comments, samples }) => [...comments, ...samples]);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function labelled(sample: string, worker: number): string {
  return sample.replace(SAMPLE, (_match, name: string, brace: string | undefined) =>
    brace === undefined ? `${name}{worker="${worker}"}` : `${name}{worker="${worker}",`,
  );
}
