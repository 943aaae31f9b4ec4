import { httpUrl } from "#kernel";
import { z } from "zod";

const tracing = z
  .strictObject({
    enabled: z.boolean().describe("Sends spans of requests and their work").default(false),
    endpoint: httpUrl()
      .describe("Address of the OTLP/HTTP collector")
      .meta({ privileged: true, outbound: true })
      .optional(),
    service_name: z.string().min(1).describe("Name of this service in the spans").default("site"),
    sample_rate: z
      .number()
      .min(0)
      .max(1)
      .describe("Share of requests that are traced, 0 to 1")
      .default(1),
  })
  .superRefine((value, context) => {
    if (!value.enabled || value.endpoint !== undefined) return;
    const params = { fix: "add `endpoint: http://localhost:4318/v1/traces`" };
    context.addIssue({
      code: "custom",
      path: ["endpoint"],
      message: "the address of a collector",
      params,
    });
  })
  .describe("Distributed tracing")
  .prefault({});

const metrics = z
  .strictObject({
    enabled: z
      .boolean()
      .describe("Serves `/metrics`; without a token only to direct connections from this machine")
      .default(false),
    token: z
      .string()
      .meta({ secret: true })
      .describe("Bearer token for `/metrics`; enables it")
      .optional(),
  })
  .describe("Metrics for Prometheus")
  .prefault({});

export const settings = { system: z.object({ tracing, metrics }) };
