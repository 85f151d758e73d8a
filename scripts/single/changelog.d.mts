export function debianVersion(version: string): string;
export function debianChangelog(text: string, maintainer: string, time: number): string;
