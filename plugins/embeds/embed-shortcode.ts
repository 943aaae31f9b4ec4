import { escapeHtml } from "#kernel";
import type { Shortcode } from "../markdown/contract.js";
import type { Embed, EmbedFacts } from "./embed-facts.js";
import { findProvider, type Provider } from "./providers.js";

/** What the frame may do: play, open its own pages, fill the screen. */
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
      const found = findProvider(providers, String(address));
      if (found === null) throw new Error(notAllowed(String(address), providers));
      const own = typeof title === "string" ? title : "";
      const { provider, url } = found;
      const frame = own === "" ? null : provider.frameOf(url);
      if (frame !== null) return trusted(frameOf(provider, { ...UNKNOWN, frame, title: own }));
      const embed = await facts.of(provider, url);
      expireAt(embed.until);
      if (embed.frame === null) return link(url, own || embed.title);
      return trusted(frameOf(provider, { ...embed, title: own || embed.title || url.host }));
    },
  };
}

const UNKNOWN = { width: null, height: null } as const;

function trusted(html: string): { html: string; trusted: true } {
  return { html, trusted: true };
}

function frameOf(
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
