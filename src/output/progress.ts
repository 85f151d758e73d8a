/** Formats the progress of long work. */
import type { World } from "../world/world.ts";
import { size } from "./when.ts";

export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const timeLeftText = (seconds: number | undefined): string =>
  `${seconds === undefined ? "?" : durationText(seconds)} left`;

/** Formats the progress of a download at byte `at`. `from`: the first byte of this connection, for the speed. */
export function downloadText(
  clock: Pick<World["clock"], "monotonic">,
  { name, total, from }: { name: string; total: number | undefined; from: number },
): (at: number, columns: number) => string {
  const begun = clock.monotonic();
  return (at, columns) => {
    const seconds = (clock.monotonic() - begun) / 1000;
    const rate = seconds > 0 ? (at - from) / seconds : 0;
    const speed = `${size(Math.round(rate))}/s`;
    const left = timeLeftText(rate > 0 && total !== undefined ? (total - at) / rate : undefined);
    const parts =
      total === undefined
        ? [size(at), speed]
        : [`${Math.floor((at / Math.max(total, 1)) * 100)} %`, left, `${size(at)} of ${size(total)}`, speed];
    const text = parts.join(" | ");
    return name.length + 3 + text.length <= columns ? `${name} | ${text}` : text;
  };
}
