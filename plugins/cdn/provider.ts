import type { SiteContext } from "#kernel";
import type { Diagnostic } from "#kernel/internal";
import { createCallApi, type CallApi } from "./api-call.js";
import type { CdnProvider, CdnSection } from "./contract.js";
import { bunny } from "./engines/bunny.js";
import { cloudflare } from "./engines/cloudflare.js";
import { custom } from "./engines/custom.js";
import { fastly } from "./engines/fastly.js";

/** Creates the configured provider; the schema has validated its settings. */
export function createProvider(site: SiteContext, section: CdnSection): CdnProvider {
  const call = createCallApi(site.use("outbound"), section.provider);
  return makers[section.provider](call, section, site.settings.site.url);
}

type Maker = (call: CallApi, section: CdnSection, base: string) => CdnProvider;

const makers: Readonly<Record<CdnSection["provider"], Maker>> = {
  cloudflare: (call, section) =>
    cloudflare(call, {
      zoneId: given(section.zone_id),
      apiToken: given(section.api_token),
      api: apiOf(section),
    }),
  fastly: (call, section) =>
    fastly(call, {
      serviceId: given(section.service_id),
      apiKey: given(section.api_key),
      api: apiOf(section),
    }),
  bunny: (call, section) =>
    bunny(call, {
      pullZoneId: given(section.pull_zone_id),
      apiKey: given(section.api_key),
      api: apiOf(section),
    }),
  custom: (call, section, base) =>
    custom(call, { url: given(section.url), token: given(section.token), base }),
};

function given(value: string | undefined): string {
  return value ?? "";
}

/** The configured address of the provider's API, without a trailing slash. */
function apiOf({ url }: CdnSection): string | undefined {
  return url?.replace(/(?<!\/)\/+$/, "");
}

/** The network accepts the credentials; their absence is an error of the configuration. Nothing is purged. */
export const cdnCheck: Diagnostic = {
  name: "cdn",
  needsSite: true,
  run: async ({ settings: { system }, site }) => {
    const { cdn } = system;
    if (cdn === undefined) return [];
    if (!cdn.enabled) return [{ level: "ok", seen: `purging at ${cdn.provider} is off` }];
    const provider = createProvider(await site(), cdn);
    if (provider.verify === undefined) {
      return [
        { level: "ok", seen: "the custom endpoint is configured (not asked: it only purges)" },
      ];
    }
    try {
      await provider.verify();
      return [{ level: "ok", seen: `${cdn.provider} accepts the credentials` }];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const seen = `${cdn.provider} does not accept the credentials: ${reason}`;
      return [{ level: "error", seen, fix: FIXES[cdn.provider] }];
    }
  },
};

const FIXES: Readonly<Record<CdnSection["provider"], string>> = {
  cloudflare: "correct cdn.api_token and cdn.zone_id; a token of an account needs Zone Read",
  fastly: "correct cdn.api_key, and cdn.url if you set it",
  bunny: "correct cdn.api_key and cdn.pull_zone_id",
  custom: "correct cdn.url and cdn.token",
};
