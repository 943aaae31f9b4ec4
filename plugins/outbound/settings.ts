import { z } from "zod";

const outbound = z
  .strictObject({
    deny_private: z
      .boolean()
      .describe("Rejects requests to private and loopback addresses")
      .default(false),
  })
  .describe("Allowed targets of outgoing requests")
  .prefault({});

export const settings = { site: z.object({ outbound }) };
