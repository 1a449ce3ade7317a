# Variables that are `__shared__`, `__device__` or `__constant__`.
package RewriteCuda::Declarations;
use strict;
use warnings;
use Exporter 'import';
use RewriteCuda::Tokens;

our @EXPORT = qw(rewrite_dynamic_shared drop_static mark_device_variable mark_read_only);

sub rewrite_dynamic_shared {
    my ($tokens, $i) = @_;
    return unless is_extern($tokens, $i);
    return if is_in_function($tokens, $i) && refer_to_dynamic_shared($tokens, $i);
    $tokens->[$i] = '__cudasim_dynamic_shared__';
    my $depth = 0;
    for (++$i; $i < @$tokens; ++$i) {
        my $text = $tokens->[$i];
        if    ($text =~ /^[(\[{]$/) { ++$depth }
        elsif ($text =~ /^[)\]}]$/) { --$depth }
        elsif ($depth == 0 && $text =~ /^[,;]$/) {
            $tokens->[$i] = ' __asm__("cudasim_dynamic_shared")' . $text;
            return if $text eq ';';
        }
    }
}

# The innermost open brace is none of a namespace or a linkage specification.
sub is_in_function {
    my ($tokens, $i) = @_;
    my $closed = 0;
    for (--$i; $i >= 0; --$i) {
        ++$closed if $tokens->[$i] eq '}';
        next if $tokens->[$i] ne '{' || $closed-- > 0;
        my $before = significant($tokens, $i - 1, -1);
        return 0 if $before < 0 || $tokens->[$before] =~ /^"|^namespace$/;
        my $named = significant($tokens, $before - 1, -1);
        return $named < 0 || $tokens->[$named] !~ /^(?:namespace|::)$/;
    }
    return 0;
}

# One array with a plain declarator becomes a reference; returns whether it is one.
sub refer_to_dynamic_shared {
    my ($tokens, $i) = @_;
    my $start = declaration_start($tokens, $i);
    my ($extent, $end) = declarator_extent($tokens, $start);
    return 0 unless defined $end;
    my $name = significant($tokens, $extent - 1, -1);
    return 0 unless is_name($tokens->[$name]);
    my $type = type_text($tokens, $start, $name);
    my ($variable, $dimensions) = ($tokens->[$name], join '', @$tokens[$extent .. $end - 1]);
    my $line_ends = join('', @$tokens[$start .. $end - 1]) =~ tr/\n//cdr;
    $tokens->[$_] = '' for $start .. $end - 1;
    $tokens->[$start] =
      "$type (&$variable)$dimensions = *reinterpret_cast<$type (*)$dimensions>(cudasim_dynamic_shared)$line_ends";
    return 1;
}

# The first of the qualifiers before `__shared__`.
sub declaration_start {
    my ($tokens, $i) = @_;
    my $start = $i;
    for (my $j = $i - 1; $j > 0; --$j) {
        next if is_blank($tokens->[$j]);
        last unless $tokens->[$j] =~ /^(?:extern|volatile|const)$/;
        $start = $j;
    }
    return $start;
}

my $attribute = qr/^(?:__align__|__attribute__|alignas)$/;

# Where the `[` of the only declarator is, and the `;`; nothing if it is no such declaration.
sub declarator_extent {
    my ($tokens, $i) = @_;
    my $extent;
    for (; $i < @$tokens; ++$i) {
        my $text = $tokens->[$i];
        return if $text =~ /^[,={}]$/;
        return $extent ? ($extent, $i) : () if $text eq ';';
        $extent //= $i if $text eq '[';
        $i = skip_parentheses($tokens, $i + 1) if $text =~ $attribute;
    }
    return;
}

# The declaration's words up to its name, without storage and alignment.
sub type_text {
    my ($tokens, $i, $name) = @_;
    my $type = '';
    for (; $i < $name; ++$i) {
        if    ($tokens->[$i] =~ $attribute) { $i = skip_parentheses($tokens, $i + 1) }
        elsif (is_blank($tokens->[$i])) { $type .= ' ' unless $type =~ /^$| $/ }
        elsif ($tokens->[$i] !~ /^(?:extern|__shared__)$/) { $type .= $tokens->[$i] }
    }
    return $type =~ s/ $//r;
}

sub is_extern {
    my ($tokens, $i) = @_;
    return defined word_beside($tokens, $i, 'extern');
}

# `__shared__` says `static` itself.
sub drop_static {
    my ($tokens, $i) = @_;
    my $at = word_beside($tokens, $i, 'static');
    $tokens->[$at] = '' if defined $at;
}

# Where the word stands among those of the declaration, on either side of `__shared__`; or nowhere.
sub word_beside {
    my ($tokens, $i, $word) = @_;
    for my $step (-1, 1) {
        my $at = significant($tokens, $i + $step, $step);
        while ($at >= 0 && is_name($tokens->[$at])) {
            return $at if $tokens->[$at] eq $word;
            $at = significant($tokens, $at + $step, $step);
        }
    }
    return;
}

sub mark_device_variable {
    my ($tokens, $i) = @_;
    my $before = significant($tokens, $i - 1, -1);
    return if $before >= 0 && $tokens->[$before] eq '__constant__';
    return if !declares_variable($tokens, $i + 1) || is_read_only($tokens, $i);
    $tokens->[$i] .= ' __cudasim_device_variable__';
}

sub mark_read_only {
    my ($tokens, $i) = @_;
    $tokens->[$i] = '__cudasim_read_only__' if is_read_only($tokens, $i);
}

# A `const` variable stays in read-only memory: a section of our own cannot hold it beside
# others.  A pointer to `const` is no such variable.
sub is_read_only {
    my ($tokens, $i) = @_;
    my $const = 0;
    for (my $j = significant($tokens, $i - 1, -1); $j >= 0 && is_name($tokens->[$j]);
         $j = significant($tokens, $j - 1, -1)) {
        $const = 1 if $tokens->[$j] =~ /^const(?:expr)?$/;
    }
    for (++$i; $i < @$tokens && $tokens->[$i] !~ /^[;=\[({]$/; ++$i) {
        $const = 1 if $tokens->[$i] =~ /^const(?:expr)?$/;
        $const = 0 if $tokens->[$i] eq '*';
    }
    return $const;
}

# A variable's declaration comes to its end, initializer or extent before it comes to a
# parameter list.
sub declares_variable {
    my ($tokens, $i) = @_;
    for (; $i < @$tokens; ++$i) {
        my $text = $tokens->[$i];
        return 1 if $text =~ /^[;=\[]$/;
        return 0 if $text =~ /^[({})]$|^(?:operator|struct|class|union|using|typedef)$/;
        return 0 if $text =~ /^__(?:global|host|constant|managed|forceinline)__$|^inline$/;
        $i = skip_parentheses($tokens, $i + 1)
          if $text =~ /^(?:__align__|__attribute__|alignas|decltype)$/;
        $i = skip_angles($tokens, $i) if $text eq '<';
    }
    return 0;
}

1;
