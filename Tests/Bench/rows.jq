# The rows of the tables, from outcomes of acpbridge-bench --json.

def grouped: tostring | if length > 3 then (.[:-3] | grouped) + "," + .[-3:] else . end;

# 1,234,567  45.6  0.72
def number:
  if . >= 100 then round | grouped
  elif . >= 10 then . * 10 | round / 10 | tostring
  else . * 100 | round / 100 | tostring end;

def ratio: if . >= 10 then "\(round)×" elif . >= 0.095 then "\(. * 10 | round / 10)×" else "\(. * 100 | round / 100)×" end;

# The result of $system, or null.
def outcome($outcomes; $system; $with; $quantity):
  first($outcomes[] | select(.system == $system and contains($with)) | .[$quantity] // empty) // null;

def cell($outcomes; $system; $with; $quantity; $divisor):
  outcome($outcomes; $system; $with; $quantity) as $found
  | if $found == null then ""
    else ($found.median / $divisor | number)
      + (outcome($outcomes; "acpbridge"; $with; $quantity).to[$system]
        | if . and $system != "acpbridge" then " (\(ratio))" else "" end)
    end;

# One column for each of $systems.
def row($outcomes; $systems; $title; $with; $quantity; $divisor):
  "| \($title) | \([$systems[] | cell($outcomes; .; $with; $quantity; $divisor)] | join(" | ")) |";
