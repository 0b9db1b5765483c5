# An agent that follows a script. Usage: sh scripted-agent.sh SCRIPT RECEIVED
#
# SCRIPT has one step in a line: "C …" waits for one line of input and appends it to RECEIVED; "A TEXT" writes TEXT, in which
# @ID@ is replaced by the id of the last line that was read; other lines are comments. After the script the input is read to
# its end.
exec 3<&0
while IFS= read -r step; do
    case $step in
        'C '*)
            IFS= read -r line <&3 || exit 0
            printf '%s\n' "$line" >> "$2"
            id=$(printf '%s\n' "$line" | sed -n 's/^.*"id": *\("[^"]*"\|[0-9][0-9]*\),"method".*$/\1/p')
            ;;
        'A '*@ID@*)
            step=${step#A }
            printf '%s%s%s\n' "${step%%@ID@*}" "$id" "${step#*@ID@}"
            ;;
        'A '*) printf '%s\n' "${step#A }" ;;
    esac
done < "$1"
while IFS= read -r line <&3; do :; done
