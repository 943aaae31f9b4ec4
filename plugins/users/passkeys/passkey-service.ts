import { z } from "zod";
import type { SiteContext } from "#kernel";
import type { SessionKind } from "../../session/contract.js";
import type { PasskeyService } from "../contract.js";
import { Ceremonies } from "./ceremonies.js";
import { Challenges } from "./challenges.js";
import { MAX_PASSKEYS, PasskeyRecords } from "./passkey-records.js";
import { relyingPartyOf } from "./relying-party.js";

const encoded = (limit: number) =>
  z
    .string()
    .max(limit)
    .regex(/^[\w-]+$/, { error: "base64url" });

const shapes: PasskeyService["shapes"] = {
  created: z.object({
    id: encoded(32_768),
    response: z.object({
      clientDataJSON: encoded(32_768),
      attestationObject: encoded(32_768),
      transports: z.array(z.string().max(32)).max(10).default([]),
    }),
  }),
  signed: z.object({
    id: encoded(8_192),
    response: z.object({
      clientDataJSON: encoded(8_192),
      authenticatorData: encoded(8_192),
      signature: encoded(8_192),
      userHandle: encoded(8_192),
    }),
  }),
};

/** The service `passkeys`; deleting an account deletes its passkeys. */
export function createPasskeyService(site: SiteContext): PasskeyService {
  const store = () => site.engines.slot("records").active;
  const { clock } = site.runtime;
  const records: Record<SessionKind, PasskeyRecords> = {
    admin: new PasskeyRecords("admin", store, clock),
    visitor: new PasskeyRecords("visitor", store, clock),
  };
  const party = relyingPartyOf(site.settings.site.url);
  site.hooks.on("onUserDelete", async ({ data }) => {
    await records.admin.forget(data.user.id);
    await records.visitor.forget(data.user.id);
  });
  return {
    obstacle: "reason" in party ? party : null,
    limit: MAX_PASSKEYS,
    shapes,
    of: (kind, path) => {
      const challenges = new Challenges(site, { name: `site_${kind}_challenge`, path });
      return new Ceremonies({ site, party, challenges, records: records[kind] });
    },
  };
}
