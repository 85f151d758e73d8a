/**
 * Draws which groups contain which. The layout is computed when the page is written, so the page needs no code for it.
 */
import { Graph, layout } from "@dagrejs/dagre";
import { counted } from "../../common/counted.ts";
import { cutToWidth } from "../../output/wait-display.ts";
import { countText, groupTitle } from "../titles.ts";
import { type Html, html } from "./html.ts";
import type { GroupRow, Report } from "./make-report.ts";

const [width, height, gap, margin] = [204, 42, 12, 8];

interface Point {
  x: number;
  y: number;
}

/** The centers of nodes by id, and the points of lines. */
interface Layout {
  nodes: Map<number, Point>;
  lines: { from: string; to: string; points: Point[] }[];
  width: number;
  height: number;
}

/** The largest number of nested groups: the time for a layout grows fast. */
const mostLines = 200;

/** Lays out nested groups in layers from left to right, the outermost first. */
function layered(groups: readonly GroupRow[]): Layout {
  if (!groups.length) return { nodes: new Map(), lines: [], width: 0, height: 0 };
  const graph = new Graph<{ rankdir: string; nodesep: number; ranksep: number; width?: number; height?: number }>();
  graph.setGraph({ rankdir: "LR", nodesep: gap, ranksep: 56 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of groups) graph.setNode(String(id), { width, height });
  for (const { id, contains } of groups) for (const inner of contains) graph.setEdge(String(id), String(inner));
  layout(graph);
  const node = (id: string): Point => graph.node(id);
  return {
    nodes: new Map(groups.map(({ id }) => [id, node(String(id))])),
    // A line goes from the right side to the left side of its nodes.
    lines: graph.edges().map((edge) => {
      const [from, to] = [node(edge.v), node(edge.w)];
      const between = graph.edge(edge).points.slice(1, -1);
      const points = [{ x: from.x + width / 2, y: from.y }, ...between, { x: to.x - width / 2, y: to.y }];
      return { from: edge.v, to: edge.w, points };
    }),
    width: graph.graph().width ?? 0,
    height: graph.graph().height ?? 0,
  };
}

/** Puts the other groups below in rows, or all groups if there are too many lines. */
function layoutOf(groups: readonly GroupRow[]): Layout {
  const inner = groups.flatMap(({ contains }) => contains);
  const isNested = ({ id, contains }: GroupRow) =>
    inner.length <= mostLines && (contains.length > 0 || inner.includes(id));
  const tree = layered(groups.filter(isNested));
  const others = groups.filter((each) => !isNested(each));
  const columns = Math.max(4, Math.floor((tree.width + gap) / (width + gap)));
  const top = tree.height ? tree.height + 2 * gap : 0;
  for (const [at, { id }] of others.entries())
    tree.nodes.set(id, {
      x: (at % columns) * (width + gap) + width / 2,
      y: top + Math.floor(at / columns) * (height + gap) + height / 2,
    });
  const rows = Math.ceil(others.length / columns);
  return {
    ...tree,
    width: Math.max(tree.width, Math.min(columns, others.length) * (width + gap) - gap),
    height: rows ? top + rows * (height + gap) - gap : tree.height,
  };
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

/** A curve through the points, horizontal at both ends. */
function curve([first, ...rest]: readonly Point[]): string {
  let before = first ?? { x: 0, y: 0 };
  const start = `M${round(before.x)} ${round(before.y)}`;
  const parts = rest.map((point) => {
    const middle = round((before.x + point.x) / 2);
    const part = `C${middle} ${round(before.y)} ${middle} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
    before = point;
    return part;
  });
  return start + parts.join("");
}

function node(row: GroupRow, { x, y }: Point, all: number): Html {
  const { id, name, role, deactivated, people, bots, uses } = row;
  const settings = uses.reduce((sum, { count }) => sum + count, 0);
  const size = counted(people, "person", "people") + (bots ? `, ${counted(bots, "bot")}` : "");
  const used = settings ? `in ${counted(settings, "setting")}` : "in no setting";
  const filled = all ? Math.ceil((people / all) * width) : 0;
  return html`
<a href="#g${id}" class="${role ? "role" : deactivated ? "off" : "group"}" transform="translate(${round(x - width / 2)} ${round(
    y - height / 2,
  )})"><title>${groupTitle(name)}: ${size}, ${used}${deactivated && ", deactivated"}</title><rect width="${width}" height="${height}" rx="5"/>${
    filled > 0 && html`<rect class="bar" y="${height - 4}" width="${filled}" height="4"/>`
  }<text x="10" y="17">${cutToWidth(groupTitle(name), 25)}</text><text class="s" x="10" y="32">${countText(people)} · ${used}</text></a>`;
}

export function picture({ groups, people }: Report): Html {
  const { nodes, lines, width, height } = layoutOf(groups);
  const box = [-margin, -margin, width + 2 * margin, height + 2 * margin].map(round);
  const isTooLarge = groups.some(({ contains }) => contains.length) && !lines.length;
  return html`${
    isTooLarge &&
    html`
<p>More than ${countText(mostLines)} groups are in other groups: too many lines to draw. The table says which.`
  }
<div class="scroll picture" tabindex="0" role="region" aria-label="Picture of the groups">
<svg id="picture" role="group" aria-label="Groups: an arrow leads from a group to one in it" viewBox="${box.join(" ")}" width="${box[2]}" height="${box[3]}">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${lines.map(
  ({ from, to, points }) =>
    html`<path class="line" data-from="${from}" data-to="${to}" d="${curve(points)}" marker-end="url(#arrow)"/>`,
)}
${groups.map((row) => node(row, nodes.get(row.id)!, people))}
</svg></div>`;
}
