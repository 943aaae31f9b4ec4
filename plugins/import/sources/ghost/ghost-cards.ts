/** Cards of the Ghost editor as HTML. */
import { escapeHtml, isRecord } from "#kernel";
import { embedAddress } from "../../text/embed-address.js";
import { markdownToHtml } from "../../text/markdown-to-html.js";

type Payload = Readonly<Record<string, unknown>>;

/** HTML of a card; null for one without a counterpart. */
export function cardHtml(name: string, payload: Payload): string | null {
  const card = CARDS[name];
  return card === undefined ? null : card(payload);
}

const CARDS: Readonly<Record<string, (payload: Payload) => string>> = {
  image,
  gallery: ({ images, caption }) =>
    records(images)
      .map((one) => image({ ...one, src: one["src"] ?? one["fileName"] }))
      .join("\n") + noteOf(caption),
  code,
  codeblock: code,
  hr: () => "<hr>",
  horizontalrule: () => "<hr>",
  markdown,
  "card-markdown": markdown,
  html: ({ html }) => text(html),
  embed,
  bookmark,
  callout: ({ calloutText, calloutEmoji }) =>
    `<site-alert>${escapeHtml(text(calloutEmoji))} ${text(calloutText)}</site-alert>`,
  toggle: ({ heading, content }) =>
    `<details><summary>${text(heading)}</summary>${text(content)}</details>`,
  button: ({ buttonText, buttonUrl }) => link(text(buttonUrl), text(buttonText)),
  video: ({ src, caption }) => `<video src="${attribute(src)}"></video>${noteOf(caption)}`,
  audio: ({ src, title }) => link(text(src), text(title)),
  file: ({ src, fileTitle, fileName }) => link(text(src), text(fileTitle) || text(fileName)),
  product: ({ productTitle, productDescription, productUrl, productImageSrc }) =>
    [
      image({ src: productImageSrc }),
      `<h4>${text(productTitle)}</h4>`,
      text(productDescription),
      link(text(productUrl), text(productTitle)),
    ].join("\n"),
  header: ({ header, heading, subheader, subheading }) =>
    `<h2>${text(header) || text(heading)}</h2><p>${text(subheader) || text(subheading)}</p>`,
};

function image({ src, alt, caption, href, title }: Payload): string {
  if (text(src) === "") return "";
  const shown = `<img src="${attribute(src)}" alt="${attribute(alt ?? title)}">`;
  const inner = text(href) === "" ? shown : `<a href="${attribute(href)}">${shown}</a>`;
  return `<figure>${inner}${text(caption) === "" ? "" : `<figcaption>${text(caption)}</figcaption>`}</figure>`;
}

function code({ code: source, language }: Payload): string {
  const kind = /^[\w+#-]+$/.test(text(language)) ? ` class="language-${text(language)}"` : "";
  return `<pre><code${kind}>${escapeHtml(text(source))}</code></pre>`;
}

function markdown({ markdown: source }: Payload): string {
  return markdownToHtml(text(source));
}

/** An address that the site can embed goes on a line of its own; any other becomes a link. */
function embed({ url, html }: Payload): string {
  const frame = /<iframe\b[^>]*?\ssrc="([^"]+)"/i.exec(text(html))?.[1] ?? "";
  const address = embedAddress(text(url)) ?? embedAddress(frame);
  if (address !== null) return `<site-address>${escapeHtml(address)}</site-address>`;
  return link(text(url) || frame, text(url) || frame);
}

function bookmark({ url, metadata }: Payload): string {
  const { title, description } = isRecord(metadata) ? metadata : {};
  const about = text(description) === "" ? "" : `<br>${escapeHtml(text(description))}`;
  return `<p><a href="${attribute(url)}">${escapeHtml(text(title) || text(url))}</a>${about}</p>`;
}

function link(href: string, label: string): string {
  return href === "" ? "" : `<p><a href="${escapeHtml(href)}">${escapeHtml(label || href)}</a></p>`;
}

function noteOf(caption: unknown): string {
  return text(caption) === "" ? "" : `<p><em>${text(caption)}</em></p>`;
}

function attribute(value: unknown): string {
  return escapeHtml(text(value));
}

function records(value: unknown): Payload[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
