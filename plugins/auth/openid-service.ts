import type { SiteContext } from "#kernel";
import type { OpenIdClient, OpenIdOptions, OpenIdService } from "./contract.js";
import type { OidcProvider } from "./engines/oidc.js";
import { ProviderCalls } from "./providers/provider-calls.js";
import { ProviderError, providerFailure } from "./providers/provider.js";

/** The clients of other plugins; they are loaded with the first login. */
export function openIdService(site: SiteContext): OpenIdService {
  return { client: (options) => createClient(site, options) };
}

function createClient(site: SiteContext, options: OpenIdOptions): OpenIdClient {
  let loaded: Promise<OidcProvider> | null = null;
  const provider = (): Promise<OidcProvider> => (loaded ??= load(site, options));
  return {
    start: (checks) => guarded(site, async () => (await provider()).start(checks)),
    finish: (callback, checks) =>
      guarded(site, async () => {
        const { id, email, name, claims } = await (await provider()).finish(callback, checks);
        return { id, email, name: name ?? null, claims: claims ?? {} };
      }),
  };
}

async function load(site: SiteContext, options: OpenIdOptions): Promise<OidcProvider> {
  const { OidcProvider: Provider } = await import("./engines/oidc.js");
  const { issuer } = options;
  return new Provider({
    ...options,
    slug: "openid",
    label: new URL(issuer).host,
    scopes: [...new Set(["openid", ...options.scopes])],
    calls: new ProviderCalls(site.use("outbound"), [issuer]),
  });
}

/** The provider's message only goes to the log. */
async function guarded<T>({ log }: SiteContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn("auth.openid_failed", { fault: error.fault, error: error.message });
    throw providerFailure(error.fault);
  }
}
