// Facts that the engine ends thoughts by and the view tells them by.

/** What opens and closes thoughts: Qwen, DeepSeek and others; Magistral; Seed; Kimi. */
export const thoughtMarks = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['◁think▷', '◁/think▷'],
] as const;
