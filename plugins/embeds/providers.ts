import type { EmbedSetting } from "./settings.js";

/** A provider whose addresses are embedded. */
export interface Provider {
  readonly name: string;
  /** True when an address is one of a video, post or pen of this provider. */
  owns(url: URL): boolean;
  /** The oEmbed API for an address. */
  endpointOf(url: URL): string;
  /** Its endpoint may be inside the own network. */
  readonly isPrivate: boolean;
  /** The address of the frame; null: the one that the API names. */
  frameOf(url: URL): string | null;
  /** Hosts that frames may have. */
  readonly frameHosts: readonly string[];
}

type Own = Exclude<EmbedSetting, string>;

const YOUTUBE = /^(?:www\.|m\.)?(?:youtube\.com|youtube-nocookie\.com)$/;

const youtube: Provider = {
  name: "youtube",
  owns: (url) => youtubeId(url) !== null,
  endpointOf: () => "https://www.youtube.com/oembed",
  isPrivate: false,
  frameOf(url) {
    const start = /^\d{1,6}/.exec(url.searchParams.get("t") ?? url.searchParams.get("start") ?? "");
    const from = start === null ? "" : `?start=${start[0]}`;
    return `https://www.youtube-nocookie.com/embed/${youtubeId(url) ?? ""}${from}`;
  },
  frameHosts: ["www.youtube-nocookie.com"],
};

function youtubeId({ hostname, pathname, searchParams }: URL): string | null {
  if (hostname === "youtu.be") return findId(pathname, /^\/([\w-]{11})$/);
  if (!YOUTUBE.test(hostname)) return null;
  if (pathname === "/watch") return findId(searchParams.get("v") ?? "", /^([\w-]{11})$/);
  return findId(pathname, /^\/(?:embed|shorts|live)\/([\w-]{11})$/);
}

function findId(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[1] ?? null;
}

const VIMEO = /^\/(\d{1,20})(?:\/([0-9a-f]{6,20}))?$/;

const vimeo: Provider = {
  name: "vimeo",
  owns: ({ hostname, pathname }) => /^(?:www\.)?vimeo\.com$/.test(hostname) && VIMEO.test(pathname),
  endpointOf: () => "https://vimeo.com/api/oembed.json",
  isPrivate: false,
  frameOf({ pathname }) {
    const [, id = "", hash] = VIMEO.exec(pathname) ?? [];
    return `https://player.vimeo.com/video/${id}?dnt=1${hash === undefined ? "" : `&h=${hash}`}`;
  },
  frameHosts: ["player.vimeo.com"],
};

const PEN = /^\/([\w-]{1,50})\/(?:pen|details|full)\/(\w{1,50})$/;

const codepen: Provider = {
  name: "codepen",
  owns: ({ hostname, pathname }) => hostname === "codepen.io" && PEN.test(pathname),
  endpointOf: () => "https://codepen.io/api/oembed?format=json",
  isPrivate: false,
  frameOf({ pathname }) {
    const [, user = "", pen = ""] = PEN.exec(pathname) ?? [];
    return `https://codepen.io/${user}/embed/${pen}?default-tab=result`;
  },
  frameHosts: ["codepen.io"],
};

const POST = /^\/(@[\w.-]{1,60}(?:@[\w.-]{1,100})?\/\d{1,30})$/;

function mastodon(hosts: readonly string[], isPrivate = false): Provider {
  return {
    name: "mastodon",
    owns: ({ host, pathname }) => hosts.includes(host) && POST.test(pathname),
    endpointOf: ({ origin }) => `${origin}/api/oembed`,
    isPrivate,
    frameOf: ({ origin, pathname }) => `${origin}${pathname}/embed`,
    frameHosts: hosts,
  };
}

function generic({ name, hosts, endpoint = "", private: isPrivate }: Own): Provider {
  return {
    name,
    isPrivate,
    frameHosts: hosts,
    owns: ({ host }) => hosts.includes(host),
    endpointOf: () => endpoint,
    frameOf: () => null,
  };
}

const BUILT_IN: Readonly<Record<string, Provider>> = {
  youtube,
  vimeo,
  codepen,
  mastodon: mastodon(["mastodon.social"]),
};

/** The providers of the configuration, in its order. */
export function toProviders(list: readonly EmbedSetting[]): readonly Provider[] {
  return list.flatMap((one) => {
    if (typeof one !== "string")
      return one.endpoint === undefined ? mastodon(one.hosts, one.private) : generic(one);
    return BUILT_IN[one] ?? [];
  });
}

/** Scheme of the frames of a provider: within the own network there may be no certificate. */
export function isFrameScheme({ isPrivate }: Provider, protocol: string): boolean {
  return protocol === "https:" || (isPrivate && protocol === "http:");
}

/** Sources of `frame-src` for these providers. */
export function frameOrigins(providers: readonly Provider[]): readonly string[] {
  const origins = providers.flatMap(({ frameHosts, isPrivate }) =>
    frameHosts.flatMap((host) => [`https://${host}`, ...(isPrivate ? [`http://${host}`] : [])]),
  );
  return [...new Set(origins)];
}

/** The provider of an address, with the address parsed; null when none is allowed to embed it. */
export function findProvider(
  providers: readonly Provider[],
  address: string,
): { provider: Provider; url: URL } | null {
  if (address.length > 2_000 || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") return null;
  const provider = providers.find((one) => isFrameScheme(one, url.protocol) && one.owns(url));
  return provider === undefined ? null : { provider, url };
}
