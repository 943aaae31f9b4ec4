import type { SiteContext } from "#kernel";
import { createCallApi } from "./api-call.js";
import type { CdnProvider, CdnSection } from "./contract.js";
import { bunny } from "./engines/bunny.js";
import { cloudflare } from "./engines/cloudflare.js";
import { custom } from "./engines/custom.js";
import { fastly } from "./engines/fastly.js";

/** The provider of the settings; its schema has seen to what each of them needs. */
export function createProvider(site: SiteContext, section: CdnSection): CdnProvider {
  const call = createCallApi(site.use("outbound"), section.provider);
  const {
    zone_id: zoneId = "",
    service_id: serviceId = "",
    pull_zone_id: pullZoneId = "",
  } = section;
  const { api_token: apiToken = "", api_key: apiKey = "", url, token = "" } = section;
  const api = url?.replace(/\/+$/, "");
  switch (section.provider) {
    case "cloudflare":
      return cloudflare(call, { zoneId, apiToken, api });
    case "fastly":
      return fastly(call, { serviceId, apiKey, api });
    case "bunny":
      return bunny(call, { pullZoneId, apiKey, api });
    case "custom":
      return custom(call, { url: url ?? "", token, base: site.settings.site.url });
  }
}
