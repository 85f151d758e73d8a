/** Names in scripts that terminals and programs measure differently if they are not careful. */
export const scripts: Record<string, string> = {
  latin: "Zoë’s “team” – Łódź",
  greek: "Ομάδα σχεδίασης",
  cyrillic: "Команда дизайна",
  chinese: "設計團隊的頻道",
  japanese: "デザイン・チームの部屋",
  // Without a voiced sound mark: terminals disagree about its width.
  halfwidth: "ｱｲﾝ ﾁｰﾑ",
  korean: "디자인 팀 채널",
  arabic: "فريق التصميم",
  vowelled: "فَرِيقُ ٱلتَّصْمِيمِ",
  hebrew: "צֶוֶת הָעִצּוּב",
  thai: "ทีมออกแบบที่นี่",
  vietnamese: "nhóm thiết kế".normalize("NFD"),
  joined: "👩‍💻 👨‍👩‍👧‍👦 home",
  emoji: "👋🏽 ❤️ 🇩🇪 1️⃣ ok",
  combining: "e\u0301a\u0308\u0323 Z\u0301o\u0308e",
  fullwidth: "Ｔｅａｍ　（１）",
};
