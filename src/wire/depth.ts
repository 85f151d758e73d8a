/**
 * True where brackets of a JSON text are nested deeper than `limit`. Parsing such a text does no harm, but printing
 * the value it gives would exhaust the stack.
 */
export function deeperThan(limit: number, json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    // { and [, then } and ]: they differ in one bit.
    if ((code | 0x20) === 0x7b) {
      if (++depth > limit) return true;
    } else if ((code | 0x20) === 0x7d) depth--;
    else if (code === 0x22) {
      const end = closing(json, at + 1);
      if (end < 0) return false;
      at = end;
    }
  }
  return false;
}

function closing(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at;
    while (json.charCodeAt(before - 1) === 0x5c) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}
