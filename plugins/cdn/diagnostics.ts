import type { Diagnostic } from "#kernel";
import type { CdnSection } from "./contract.js";

/** The network accepts the credentials; their absence is an error of the configuration. Nothing is purged. */
export const cdnCheck: Diagnostic = {
  name: "cdn",
  needsSite: true,
  run: async ({ settings: { system }, site }) => {
    const { cdn } = system;
    if (cdn === undefined) return [];
    if (!cdn.enabled) return [{ level: "ok", seen: `purging at ${cdn.provider} is off` }];
    const { createProvider } = await import("./providers.js");
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
