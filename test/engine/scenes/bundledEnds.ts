// Marks that end a generation, for tests over all of the bundled templates.

/** Marks that end a turn in the vocabularies the bundled templates belong to; the vocabularies themselves are not in the bundle. */
export const ends =
  '</s> <|im_end|> <|eot_id|> <|eom_id|> <｜end▁of▁sentence｜> <|END_OF_TURN_TOKEN|> <|call|> <|return|> <|end|> <turn|> <|tool_response> <SPECIAL_12> <｜hy_eos:opensource｜> <|calls|> [e~[ <|message_sep|> <seed:eos> <|eot|> <|end_of_text|> <|role_end|> <|observation|> <|user|> <end_of_sentence> <|end_of_msg|>'.split(
    ' ',
  );
