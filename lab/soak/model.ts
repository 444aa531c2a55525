// The model of the soak: the nano model, inclined to call tools and to come to an end.
import { nanoModel } from '../../test/models/scenes/nano.ts';

export function soakModel(): string {
  return nanoModel({ favour: { '<tool_call>': 3, '<|im_end|>': 3, '"': 3 } });
}
