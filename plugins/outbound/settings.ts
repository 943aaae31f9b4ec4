import { z } from "zod";

const outbound = z
  .strictObject({
    deny_private: z
      .boolean()
      .describe("Refuses to send to private and loopback addresses")
      .default(false),
  })
  .describe("Where the site may send requests")
  .prefault({});

export const settings = { site: z.object({ outbound }) };
