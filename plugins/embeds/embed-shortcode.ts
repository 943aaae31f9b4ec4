import { z } from "zod";
import { escapeHtml, type Caches, type CacheSpace, type Clock, type Logger } from "#kernel";
import type { Shortcode } from "../markdown/contract.js";
import type { OutboundService } from "../outbound/contract.js";
import { findProvider, type Provider, isFrameScheme } from "./providers.js";

/** A frame may play, open its own pages and fill the screen. */
const SANDBOX = "allow-scripts allow-same-origin allow-popups allow-presentation";

/** The shortcode `embed`: a frame of an allowed provider, or a link while the provider does not answer. */
export function embedShortcode(providers: readonly Provider[], facts: EmbedFacts): Shortcode {
  return {
    params: {
      url: { type: "text", required: true, label: "Address" },
      title: { type: "text", label: "Title" },
    },
    address: (url) => findProvider(providers, url) !== null,
    async render({ url: address, title }, { expireAt }) {
      const match = findProvider(providers, String(address));
      if (match === null) throw new Error(notAllowed(String(address), providers));
      const caption = typeof title === "string" ? title : "";
      const { provider, url } = match;
      const frame = caption === "" ? null : provider.frameOf(url);
      if (frame !== null)
        return trusted(renderFrame(provider, { ...UNKNOWN, frame, title: caption }));
      const embed = await facts.of(provider, url);
      expireAt(embed.until);
      if (embed.frame === null) return link(url, caption || embed.title);
      return trusted(
        renderFrame(provider, { ...embed, title: caption || embed.title || url.host }),
      );
    },
  };
}

const UNKNOWN = { width: null, height: null } as const;

function trusted(html: string): { html: string; trusted: true } {
  return { html, trusted: true };
}

function renderFrame(
  { name }: Provider,
  { frame, title, width, height }: Pick<Embed, "frame" | "title" | "width" | "height">,
): string {
  const attributes = {
    src: frame ?? "",
    title,
    width: String(width ?? 640),
    height: String(height ?? 360),
    loading: "lazy",
    referrerpolicy: "strict-origin-when-cross-origin",
    sandbox: SANDBOX,
    allow: "fullscreen; picture-in-picture",
  };
  const text = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  return `<figure class="embed embed-${name}"><iframe${text.join("")} allowfullscreen></iframe></figure>`;
}

function link({ href }: URL, title: string): string {
  return `<p class="embed-link"><a href="${escapeHtml(href)}">${escapeHtml(title || href)}</a></p>`;
}

function notAllowed(address: string, providers: readonly Provider[]): string {
  if (providers.length === 0) {
    return "embeds are off; name the provider in content.markdown.embeds of system.yaml";
  }
  const names = providers.map(({ name }) => name).join(", ");
  return `no allowed provider (${names}) embeds ${JSON.stringify(address.slice(0, 200))}`;
}

const FOUND_MS = 24 * 3600 * 1000;
const FAILED_MS = 10 * 60 * 1000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 2 * 1024 * 1024;
const FRAME = /<iframe\b[^>]*?\ssrc=(?:"([^"]*)"|'([^']*)')/i;

const pixels = z.coerce.number().int().min(1).max(10_000).nullable().catch(null).default(null);
const answerSchema = z.object({
  title: z.string().trim().max(500).catch("").default(""),
  html: z.string().max(20_000).catch("").default(""),
  width: pixels,
  height: pixels,
});

/** The answer of a provider about an address. */
interface Embed {
  /** Address of the frame; null: a link is shown. */
  readonly frame: string | null;
  readonly title: string;
  readonly width: number | null;
  readonly height: number | null;
  /** Unix ms until which it is used. */
  readonly until: number;
}

/** The services that ask providers. */
interface EmbedServices {
  /** Keeps the answers. */
  cache: Pick<Caches, "open">;
  clock: Clock;
  log: Logger;
  outbound: Pick<OutboundService, "request">;
}

/** Asks the oEmbed APIs of providers, a day at a time; after a failure again in ten minutes. */
export class EmbedFacts {
  readonly #services: EmbedServices;
  readonly #known: CacheSpace<Embed>;

  constructor(services: EmbedServices) {
    this.#services = services;
    this.#known = services.cache.open<Embed>("embeds", {
      maxBytes: MAX_BYTES,
      untagged: true,
      sizeOf: ({ frame, title }) => (frame ?? "").length + title.length + 100,
    });
  }

  /** Never throws: without an answer of the provider, `frame` is null. */
  of(provider: Provider, url: URL): Promise<Embed> {
    return this.#known.get(url.href, async (entry) => {
      const embed = await this.#ask(provider, url);
      entry.until = embed.until;
      return embed;
    });
  }

  async #ask(provider: Provider, url: URL): Promise<Embed> {
    const now = this.#services.clock.now();
    try {
      const { title, html, width, height } = await this.#answer(provider, url);
      const frame = provider.frameOf(url) ?? findFrame(html, provider);
      return { frame, title, width, height, until: now + FOUND_MS };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#services.log.warn("embeds.failed", { provider: provider.name, url: url.href, reason });
      return { frame: null, title: "", width: null, height: null, until: now + FAILED_MS };
    }
  }

  async #answer(provider: Provider, url: URL): Promise<z.infer<typeof answerSchema>> {
    const endpoint = new URL(provider.endpointOf(url));
    endpoint.searchParams.set("url", url.href);
    endpoint.searchParams.set("format", "json");
    const { status, body } = await this.#services.outbound.request(endpoint.href, {
      headers: { accept: "application/json" },
      timeoutMs: TIMEOUT_MS,
      policy: provider.isPrivate ? "named" : "strict",
    });
    if (status !== 200) throw new Error(`the provider responded ${status}`);
    return answerSchema.parse(JSON.parse(body.toString()));
  }
}

/** The frame of an answer, if it is on a host of the provider. */
function findFrame(html: string, provider: Provider): string | null {
  const [, double, single] = FRAME.exec(html) ?? [];
  const src = (double ?? single ?? "").replaceAll("&amp;", "&");
  if (!URL.canParse(src)) return null;
  const url = new URL(src);
  const isAllowed = isFrameScheme(provider, url.protocol) && provider.frameHosts.includes(url.host);
  return isAllowed ? url.href : null;
}
