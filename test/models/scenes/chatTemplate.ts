// The chat template of our own test models: the ChatML and Hermes format that Qwen2.5 speaks, written anew.

export const chatTemplate = `{%- set first = messages[0] -%}
{{- '<|im_start|>system\\n' + (first.content if first.role == 'system' else 'You are a helpful assistant.') -}}
{%- if tools %}
{{- '\\n\\n# Tools\\n\\nSignatures of the functions you may call, as JSON inside <tools></tools>:\\n<tools>' -}}
{%- for tool in tools %}{{- '\\n' + (tool | tojson) -}}{%- endfor %}
{{- '\\n</tools>\\n\\nTo call one, write its name and arguments as JSON inside <tool_call></tool_call>.' -}}
{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- for message in messages -%}
{%- if message.role == 'user' or message.role == 'assistant' -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- elif message.role == 'tool' -%}
{%- if loop.index0 == 0 or messages[loop.index0 - 1].role != 'tool' -%}{{- '<|im_start|>user' -}}{%- endif -%}
{{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' -}}
{%- if loop.last or messages[loop.index0 + 1].role != 'tool' -%}{{- '<|im_end|>\\n' -}}{%- endif -%}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
`;
