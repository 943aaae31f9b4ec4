import type { Tick } from "./interval.js";

const WIDTH = 720;
const HEIGHT = 110;
const LEFT = 60;
const GAP = 44;
/** Points of a line. */
const POINTS = 180;

interface Graph {
  readonly title: string;
  readonly pick: (tick: Tick) => number;
}
const graphs: readonly Graph[] = [
  { title: "Requests per second", pick: ({ requests, seconds }) => requests / seconds },
  { title: "Latency, p99, ms", pick: ({ p99 }) => p99 },
  { title: "Memory, MB", pick: ({ megabytes }) => megabytes },
  { title: "Open descriptors", pick: ({ descriptors }) => descriptors },
];

/** Lines over time as an SVG, readable on light and dark pages. */
export function drawGraphs(ticks: readonly Tick[]): string {
  const height = graphs.length * (HEIGHT + GAP);
  const parts = graphs.map((graph, at) => draw(graph, ticks, at * (HEIGHT + GAP) + 24));
  const style =
    "text{font:13px sans-serif;fill:#667}path{fill:none;stroke:#3b82c4;stroke-width:1.5}line{stroke:#99a;stroke-width:.5}@media(prefers-color-scheme:dark){text{fill:#aab}}";
  const label = `Four graphs over ${minutesOf(ticks)} minutes`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}"><style>${style}</style>${parts.join("")}</svg>\n`;
}

function draw({ title, pick }: Graph, ticks: readonly Tick[], top: number): string {
  const size = Math.max(1, Math.ceil(ticks.length / POINTS));
  const values = Array.from({ length: Math.ceil(ticks.length / size) }, (_, at) => {
    const part = ticks.slice(at * size, (at + 1) * size).map(pick);
    return part.reduce((a, b) => a + b, 0) / part.length;
  });
  const most = Math.max(...values, 1) * 1.1;
  const x = (at: number): number =>
    LEFT + (at / Math.max(1, values.length - 1)) * (WIDTH - LEFT - 10);
  const y = (value: number): number => top + HEIGHT - (value / most) * HEIGHT;
  const points = values.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`);
  const base = top + HEIGHT;
  return [
    `<text x="${LEFT}" y="${top - 8}">${title}</text>`,
    `<text x="4" y="${top + 10}">${most.toFixed(0)}</text><text x="4" y="${base}">0</text>`,
    `<line x1="${LEFT}" y1="${base}" x2="${WIDTH - 10}" y2="${base}"/>`,
    `<path d="M${points.join("L")}"/>`,
    `<text x="${WIDTH - 60}" y="${base + 15}">${minutesOf(ticks)} min</text>`,
  ].join("");
}

function minutesOf(ticks: readonly Tick[]): string {
  return (ticks.reduce((sum, { seconds }) => sum + seconds, 0) / 60).toFixed(0);
}
